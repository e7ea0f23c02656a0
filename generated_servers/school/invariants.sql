-- Each query must return no row.

-- name: courses-updated-after-created
SELECT id FROM courses WHERE update_time < creation_time;

-- name: courses-name-not-empty
SELECT id FROM courses WHERE name = '';

-- name: announcements-updated-after-created
SELECT id FROM announcements WHERE update_time < creation_time;

-- name: student-groups-title-not-empty
SELECT id FROM student_groups WHERE title = '';

-- name: topics-name-not-empty
SELECT topic_id FROM topics WHERE name = '';

-- name: course-works-updated-after-created
SELECT id FROM course_works WHERE update_time < creation_time;

-- name: course-works-title-not-empty
SELECT id FROM course_works WHERE title = '';

-- name: course-work-materials-updated-after-created
SELECT id FROM course_work_materials WHERE update_time < creation_time;

-- name: course-work-materials-title-not-empty
SELECT id FROM course_work_materials WHERE title = '';
