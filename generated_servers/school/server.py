"""Google Classroom API: 39 tools over courses, invitations, registrations, user profiles, announcements, student
groups, topics, course works, course work materials.

Compiled from an API document. Read it top down: what the values are, what the tools return, what they share,
then each table with the function that reads one row, and its tools. `candidates` and `refused` are examples for
testing: arguments that succeed, and arguments that are refused for that reason.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World
from envfactory_gym.fields import Day, Moment

env = Environment(__file__)

# ---------------------------------------------------------------- what the values are

Line = Annotated[str, Field(min_length=1, max_length=200)]
"""One line of text."""
Prose = Annotated[str, Field(max_length=2000)]
"""Free text."""
Whole = Annotated[int, Field(ge=-(10**12), le=10**12)]
"""A whole number."""
Number = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
"""A number."""
Cursor = Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]
"""Where the next page starts, as a list returned it."""
CourseState = Literal["ACTIVE", "ARCHIVED", "PROVISIONED", "DECLINED", "SUSPENDED"]
Role = Literal["STUDENT", "TEACHER", "OWNER"]
State = Literal["PUBLISHED", "DRAFT", "DELETED"]
AssigneeMode = Literal["ALL_STUDENTS", "INDIVIDUAL_STUDENTS"]
SubmissionModificationMode = Literal["MODIFIABLE_UNTIL_TURNED_IN", "MODIFIABLE"]
WorkType = Literal["ASSIGNMENT", "SHORT_ANSWER_QUESTION", "MULTIPLE_CHOICE_QUESTION"]
CourseId = Annotated[str, Ref("courses.id"), Field(max_length=200)]
InvitationId = Annotated[str, Ref("invitations.id"), Field(max_length=200)]
RegistrationId = Annotated[str, Ref("registrations.registration_id"), Field(max_length=200)]
UserProfileId = Annotated[str, Ref("user_profiles.id"), Field(max_length=200)]
AnnouncementId = Annotated[str, Ref("announcements.id"), Field(max_length=200)]
StudentGroupId = Annotated[str, Ref("student_groups.id"), Field(max_length=200)]
TopicId = Annotated[str, Ref("topics.topic_id"), Field(max_length=200)]
CourseWorkId = Annotated[str, Ref("course_works.id"), Field(max_length=200)]
CourseWorkMaterialId = Annotated[str, Ref("course_work_materials.id"), Field(max_length=200)]
AnnouncementOrder = Literal["scheduled_time", "creation_time", "update_time"]
CourseWorkOrder = Literal["title", "due_date", "max_points", "scheduled_time", "creation_time", "update_time"]
CourseWorkMaterialOrder = Literal["title", "scheduled_time", "creation_time", "update_time"]

# ---------------------------------------------------------------- what the tools return


class Feed(TypedDict):
    feedType: NotRequired[Literal["DOMAIN_ROSTER_CHANGES", "COURSE_ROSTER_CHANGES", "COURSE_WORK_CHANGES"]]


class GlobalPermission(TypedDict):
    permission: NotRequired[Literal["CREATE_COURSE"]]


class IndividualStudentsOptions(TypedDict):
    studentIds: NotRequired[list[Line]]


class MultipleChoiceQuestion(TypedDict):
    choices: NotRequired[list[Line]]


class Course(TypedDict):
    """A Course in Classroom."""

    id: CourseId
    name: str
    subject: str | None
    course_state: CourseState | None
    description_heading: str | None
    levels: str | None
    room: str | None
    section: str | None
    description: str | None
    creation_time: str | None
    update_time: str | None


class Courses(TypedDict):
    courses: list[Course]
    total: int
    next_cursor: Cursor | None


class Invitation(TypedDict):
    """An invitation to join a course."""

    id: InvitationId
    role: Role
    course_id: CourseId | None


class Invitations(TypedDict):
    invitations: list[Invitation]
    total: int
    next_cursor: Cursor | None


class Registration(TypedDict):
    """An instruction to Classroom to send notifications from the feed to the provided destination."""

    registration_id: RegistrationId
    cloud_pubsub_topic_topic_name: str
    feed: Feed | None


class UserProfile(TypedDict):
    """Global information for a user."""

    id: UserProfileId
    email_address: str | None
    name_family_name: str | None
    name_full_name: str | None
    name_given_name: str | None
    photo_url: str | None
    verified_teacher: bool | None
    permissions: list[GlobalPermission] | None


class Announcement(TypedDict):
    """Announcement created by a teacher for students of the course."""

    id: AnnouncementId
    course_id: CourseId
    state: State
    assignee_mode: AssigneeMode | None
    scheduled_time: str | None
    text: str | None
    individual_students_options: IndividualStudentsOptions | None
    creation_time: str | None
    update_time: str | None


class Announcements(TypedDict):
    announcements: list[Announcement]
    total: int
    next_cursor: Cursor | None


class StudentGroup(TypedDict):
    """A student group in a course."""

    id: StudentGroupId
    course_id: CourseId
    title: str


class StudentGroups(TypedDict):
    student_groups: list[StudentGroup]
    total: int
    next_cursor: Cursor | None


class Topic(TypedDict):
    """Topic created by a teacher for the course."""

    topic_id: TopicId
    course_id: CourseId
    name: str
    update_time: str | None


class Topics(TypedDict):
    topics: list[Topic]
    total: int
    next_cursor: Cursor | None


class CourseWork(TypedDict):
    """Course work created by a teacher for students of the course."""

    id: CourseWorkId
    course_id: CourseId
    title: str
    topic_id: TopicId | None
    assignee_mode: AssigneeMode | None
    state: State | None
    submission_modification_mode: SubmissionModificationMode | None
    work_type: WorkType | None
    due_date: str | None
    due_time_hours: int | None
    due_time_minutes: int | None
    due_time_nanos: int | None
    due_time_seconds: int | None
    max_points: float | None
    scheduled_time: str | None
    description: str | None
    individual_students_options: IndividualStudentsOptions | None
    multiple_choice_question: MultipleChoiceQuestion | None
    creation_time: str | None
    update_time: str | None


class CourseWorks(TypedDict):
    course_works: list[CourseWork]
    total: int
    next_cursor: Cursor | None


class CourseWorkMaterial(TypedDict):
    """Course work material created by a teacher for students of the course."""

    id: CourseWorkMaterialId
    course_id: CourseId
    title: str
    topic_id: TopicId | None
    assignee_mode: AssigneeMode | None
    state: State | None
    scheduled_time: str | None
    description: str | None
    individual_students_options: IndividualStudentsOptions | None
    creation_time: str | None
    update_time: str | None


class CourseWorkMaterials(TypedDict):
    course_work_materials: list[CourseWorkMaterial]
    total: int
    next_cursor: Cursor | None


class Deleted(TypedDict):
    deleted: str | int


# ---------------------------------------------------------------- what the tools share


def flag(value: int | None) -> bool | None:
    """A stored 0 or 1 as a truth value."""
    return None if value is None else bool(value)


def parsed(value: str | None) -> Any:
    """A stored JSON text as what it says."""
    return None if value is None else json.loads(value)


def packed(value: Any) -> str | None:
    """A list or object as JSON text, written the same way every time."""
    return None if value is None else json.dumps(value, sort_keys=True)


def refuse_while_used(world: World, key: str | int, field: str, rule: str, queries: dict[str, str]) -> None:
    """Refuse a deletion while other rows refer to the row; each query counts those of one table."""
    for table, query in queries.items():
        count = world.value(query, key=key)
        if count:
            message = f"{key} cannot be deleted: it is still referred to ({count} of {table})."
            raise ToolError("conflict", message, field=field, reason=rule)


# ---------------------------------------------------------------- courses


def read_course(world: World, course_id: str, field: str = "course_id") -> Course:
    """The course with that course_id; refused where there is none."""
    row = world.one("SELECT * FROM courses WHERE id = ?", course_id)
    if row is None:
        raise ToolError("not_found", f"There is no course {course_id}.", field=field)
    return as_course(row)


def as_course(row: dict[str, Any]) -> Course:
    """A stored course as tools return it."""
    return cast(Course, row)


# Plays GET /v1/courses
@env.tool(candidates="SELECT DISTINCT course_state FROM courses WHERE course_state IS NOT NULL")
def list_courses(
    world: World,
    course_state: CourseState | None = None,
    limit: Annotated[int, Field(ge=1, le=70)] = 20,
    cursor: Cursor | None = None,
) -> Courses:
    """List courses, one page at a time; what is not given does not narrow the list.

    Args:
        course_state: Only courses with this course state.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        "SELECT * FROM courses WHERE (:course_state IS NULL OR course_state = :course_state) ORDER BY id",
        course_state=course_state,
    )
    return {
        "courses": [as_course(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /v1/courses/{id}
@env.tool(candidates="SELECT id AS course_id FROM courses", refused={"not_found": "SELECT 'NOSUCH' AS course_id"})
def get_course(world: World, course_id: CourseId) -> Course:
    """Return one course.

    Args:
        course_id: Identifier of the course.
    """
    return read_course(world, course_id)


# Plays POST /v1/courses
@env.tool(writes=["courses"], candidates="SELECT name FROM courses")
def create_course(
    world: World,
    name: Line,
    subject: Line | None = None,
    course_state: CourseState | None = None,
    description_heading: Line | None = None,
    levels: Line | None = None,
    room: Line | None = None,
    section: Line | None = None,
    description: Prose | None = None,
) -> Course:
    """Create a course.

    Args:
        name: Name of the course.
        subject: The subject of the course.
        course_state: State of the course.
        description_heading: Optional heading for the description.
        levels: Levels for the course.
        room: Optional room location.
        section: Section of the course.
        description: Optional description.
    """
    course_id = world.new_code("courses.id")
    world.run(
        """
        INSERT INTO courses (id, name, subject, course_state, description_heading, levels, room, section,
            description, creation_time, update_time)
        VALUES (:id, :name, :subject, :course_state, :description_heading, :levels, :room, :section,
            :description, :creation_time, :update_time)
        """,
        id=course_id,
        name=name,
        subject=subject,
        course_state=course_state,
        description_heading=description_heading,
        levels=levels,
        room=room,
        section=section,
        description=description,
        creation_time=world.now,
        update_time=world.now,
    )
    return read_course(world, course_id)


# Plays PATCH /v1/courses/{id}
@env.tool(writes=["courses"], destructive=True, idempotent=True, candidates="SELECT id AS course_id, name FROM courses")
def update_course(
    world: World,
    course_id: CourseId,
    name: Line | None = None,
    subject: Line | None = None,
    course_state: CourseState | None = None,
    description_heading: Line | None = None,
    levels: Line | None = None,
    room: Line | None = None,
    section: Line | None = None,
    description: Prose | None = None,
) -> Course:
    """Change the given fields of a course; the others keep their values.

    Args:
        course_id: Identifier of the course.
        name: Name of the course.
        subject: The subject of the course.
        course_state: State of the course.
        description_heading: Optional heading for the description.
        levels: Levels for the course.
        room: Optional room location.
        section: Section of the course.
        description: Optional description.
    """
    read_course(world, course_id)
    world.run(
        """
        UPDATE courses
        SET name = coalesce(:name, name),
            subject = coalesce(:subject, subject),
            course_state = coalesce(:course_state, course_state),
            description_heading = coalesce(:description_heading, description_heading),
            levels = coalesce(:levels, levels),
            room = coalesce(:room, room),
            section = coalesce(:section, section),
            description = coalesce(:description, description),
            update_time = :now
        WHERE id = :course_id
        """,
        name=name,
        subject=subject,
        course_state=course_state,
        description_heading=description_heading,
        levels=levels,
        room=room,
        section=section,
        description=description,
        now=world.now,
        course_id=course_id,
    )
    return read_course(world, course_id)


# Plays PUT /v1/courses/{id}
@env.tool(writes=["courses"], destructive=True, idempotent=True, candidates="SELECT id AS course_id, name FROM courses")
def replace_course(
    world: World,
    course_id: CourseId,
    name: Line,
    subject: Line | None = None,
    course_state: CourseState | None = None,
    description_heading: Line | None = None,
    levels: Line | None = None,
    room: Line | None = None,
    section: Line | None = None,
    description: Prose | None = None,
) -> Course:
    """Replace the fields of a course; what is not given is cleared.

    Args:
        course_id: Identifier of the course.
        name: Name of the course.
        subject: The subject of the course.
        course_state: State of the course.
        description_heading: Optional heading for the description.
        levels: Levels for the course.
        room: Optional room location.
        section: Section of the course.
        description: Optional description.
    """
    read_course(world, course_id)
    world.run(
        """
        UPDATE courses
        SET name = :name,
            subject = :subject,
            course_state = :course_state,
            description_heading = :description_heading,
            levels = :levels,
            room = :room,
            section = :section,
            description = :description,
            update_time = :now
        WHERE id = :course_id
        """,
        name=name,
        subject=subject,
        course_state=course_state,
        description_heading=description_heading,
        levels=levels,
        room=room,
        section=section,
        description=description,
        now=world.now,
        course_id=course_id,
    )
    return read_course(world, course_id)


# Plays DELETE /v1/courses/{id}
@env.tool(
    writes=["courses", "announcements", "student_groups", "topics", "course_works", "course_work_materials"],
    destructive=True,
    confirm=["course_id"],
    candidates="""
    SELECT id AS course_id
    FROM courses
    WHERE NOT EXISTS (SELECT 1 FROM invitations WHERE course_id = courses.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS course_id",
        "keep-used-courses": """
        SELECT id AS course_id
        FROM courses
        WHERE EXISTS (SELECT 1 FROM invitations WHERE course_id = courses.id)
        """,
    },
)
def delete_course(world: World, course_id: CourseId) -> Deleted:
    """Delete a course, with its announcements, student groups, topics, course works and course work materials; refused
    while invitations refer to it.

    Args:
        course_id: Identifier of the course.
    """
    read_course(world, course_id)
    refuse_while_used(
        world,
        course_id,
        "course_id",
        "keep-used-courses",
        {
            "invitations": "SELECT count(*) FROM invitations WHERE course_id = :key",
        },
    )
    world.run("DELETE FROM course_work_materials WHERE course_id = :key", key=course_id)
    world.run("DELETE FROM course_works WHERE course_id = :key", key=course_id)
    world.run("DELETE FROM topics WHERE course_id = :key", key=course_id)
    world.run("DELETE FROM student_groups WHERE course_id = :key", key=course_id)
    world.run("DELETE FROM announcements WHERE course_id = :key", key=course_id)
    world.run("DELETE FROM courses WHERE id = :course_id", course_id=course_id)
    return {"deleted": course_id}


# ---------------------------------------------------------------- invitations


def read_invitation(world: World, invitation_id: str, field: str = "invitation_id") -> Invitation:
    """The invitation with that invitation_id; refused where there is none."""
    row = world.one("SELECT * FROM invitations WHERE id = ?", invitation_id)
    if row is None:
        raise ToolError("not_found", f"There is no invitation {invitation_id}.", field=field)
    return as_invitation(row)


def as_invitation(row: dict[str, Any]) -> Invitation:
    """A stored invitation as tools return it."""
    return cast(Invitation, row)


# Plays GET /v1/invitations
@env.tool(candidates="SELECT DISTINCT course_id FROM invitations WHERE course_id IS NOT NULL")
def list_invitations(
    world: World,
    course_id: CourseId | None = None,
    role: Role | None = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> Invitations:
    """List invitations, one page at a time; what is not given does not narrow the list.

    Args:
        course_id: Only invitations with this course ID.
        role: Only invitations with this role.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM invitations
        WHERE (:course_id IS NULL OR course_id = :course_id)
          AND (:role IS NULL OR role = :role)
        ORDER BY id
        """,
        course_id=course_id,
        role=role,
    )
    return {
        "invitations": [as_invitation(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /v1/invitations/{id}
@env.tool(
    candidates="SELECT id AS invitation_id FROM invitations",
    refused={"not_found": "SELECT 'NOSUCH' AS invitation_id"},
)
def get_invitation(world: World, invitation_id: InvitationId) -> Invitation:
    """Return one invitation.

    Args:
        invitation_id: Identifier of the invitation.
    """
    return read_invitation(world, invitation_id)


# Plays POST /v1/invitations
@env.tool(writes=["invitations"], candidates="SELECT role FROM invitations")
def create_invitation(world: World, role: Role, course_id: CourseId | None = None) -> Invitation:
    """Create an invitation.

    Args:
        role: Role to invite the user to have.
        course_id: Identifier of the course to invite the user to.
    """
    if course_id is not None:
        read_course(world, course_id)
    invitation_id = world.new_code("invitations.id")
    world.run(
        "INSERT INTO invitations (id, role, course_id) VALUES (:id, :role, :course_id)",
        id=invitation_id,
        role=role,
        course_id=course_id,
    )
    return read_invitation(world, invitation_id)


# Plays DELETE /v1/invitations/{id}
@env.tool(
    writes=["invitations"],
    destructive=True,
    confirm=["invitation_id"],
    candidates="SELECT id AS invitation_id FROM invitations",
    refused={"not_found": "SELECT 'NOSUCH' AS invitation_id"},
)
def delete_invitation(world: World, invitation_id: InvitationId) -> Deleted:
    """Delete an invitation.

    Args:
        invitation_id: Identifier of the invitation.
    """
    read_invitation(world, invitation_id)
    world.run("DELETE FROM invitations WHERE id = :invitation_id", invitation_id=invitation_id)
    return {"deleted": invitation_id}


# ---------------------------------------------------------------- registrations


def read_registration(world: World, registration_id: str, field: str = "registration_id") -> Registration:
    """The registration with that registration_id; refused where there is none."""
    row = world.one("SELECT * FROM registrations WHERE registration_id = ?", registration_id)
    if row is None:
        raise ToolError("not_found", f"There is no registration {registration_id}.", field=field)
    return as_registration(row)


def as_registration(row: dict[str, Any]) -> Registration:
    """A stored registration as tools return it."""
    converted = {"feed": parsed(row["feed"])}
    return cast(Registration, row | converted)


# Plays POST /v1/registrations
@env.tool(writes=["registrations"], candidates="SELECT cloud_pubsub_topic_topic_name FROM registrations")
def create_registration(world: World, cloud_pubsub_topic_topic_name: Line, feed: Feed | None = None) -> Registration:
    """Create a registration.

    Args:
        cloud_pubsub_topic_topic_name: The name field of a Cloud Pub/Sub Topic.
        feed: Specification for the class of notifications that Classroom should deliver to the destination.
    """
    registration_id = world.new_code("registrations.registration_id")
    world.run(
        """
        INSERT INTO registrations (registration_id, cloud_pubsub_topic_topic_name, feed)
        VALUES (:registration_id, :cloud_pubsub_topic_topic_name, :feed)
        """,
        registration_id=registration_id,
        cloud_pubsub_topic_topic_name=cloud_pubsub_topic_topic_name,
        feed=packed(feed),
    )
    return read_registration(world, registration_id)


# Plays DELETE /v1/registrations/{registrationId}
@env.tool(
    writes=["registrations"],
    destructive=True,
    confirm=["registration_id"],
    candidates="SELECT registration_id FROM registrations",
    refused={"not_found": "SELECT 'NOSUCH' AS registration_id"},
)
def delete_registration(world: World, registration_id: RegistrationId) -> Deleted:
    """Delete a registration.

    Args:
        registration_id: Registration id of the registration.
    """
    read_registration(world, registration_id)
    world.run("DELETE FROM registrations WHERE registration_id = :registration_id", registration_id=registration_id)
    return {"deleted": registration_id}


# ---------------------------------------------------------------- user profiles


def read_user_profile(world: World, user_profile_id: str, field: str = "user_profile_id") -> UserProfile:
    """The user profile with that user_profile_id; refused where there is none."""
    row = world.one("SELECT * FROM user_profiles WHERE id = ?", user_profile_id)
    if row is None:
        raise ToolError("not_found", f"There is no user profile {user_profile_id}.", field=field)
    return as_user_profile(row)


def as_user_profile(row: dict[str, Any]) -> UserProfile:
    """A stored user profile as tools return it."""
    converted = {"verified_teacher": flag(row["verified_teacher"]), "permissions": parsed(row["permissions"])}
    return cast(UserProfile, row | converted)


# Plays GET /v1/userProfiles/{userId}
@env.tool(
    candidates="SELECT id AS user_profile_id FROM user_profiles",
    refused={"not_found": "SELECT 'NOSUCH' AS user_profile_id"},
)
def get_user_profile(world: World, user_profile_id: UserProfileId) -> UserProfile:
    """Return one user profile.

    Args:
        user_profile_id: Identifier of the user profile.
    """
    return read_user_profile(world, user_profile_id)


# ---------------------------------------------------------------- announcements


def read_announcement(
    world: World,
    announcement_id: str,
    field: str = "announcement_id",
    *,
    course_id: str | None = None,
) -> Announcement:
    """The announcement with that announcement_id, in that course_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM announcements WHERE id = :key AND (:parent IS NULL OR course_id = :parent)",
        key=announcement_id,
        parent=course_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no announcement {announcement_id}.", field=field)
    return as_announcement(row)


def as_announcement(row: dict[str, Any]) -> Announcement:
    """A stored announcement as tools return it."""
    converted = {"individual_students_options": parsed(row["individual_students_options"])}
    return cast(Announcement, row | converted)


# Plays GET /v1/courses/{courseId}/announcements
@env.tool(candidates="SELECT id AS course_id FROM courses")
def list_announcements(
    world: World,
    course_id: CourseId,
    state: State | None = None,
    assignee_mode: AssigneeMode | None = None,
    sort_by: AnnouncementOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=80)] = 20,
    cursor: Cursor | None = None,
) -> Announcements:
    """List announcements, one page at a time; what is not given does not narrow the list.

    Args:
        course_id: The course whose announcements to list.
        state: Only announcements with this state.
        assignee_mode: Only announcements with this assignee mode.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    read_course(world, course_id)
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM announcements
        WHERE course_id = :course_id
          AND (:state IS NULL OR state = :state)
          AND (:assignee_mode IS NULL OR assignee_mode = :assignee_mode)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        course_id=course_id,
        state=state,
        assignee_mode=assignee_mode,
    )
    return {
        "announcements": [as_announcement(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /v1/courses/{courseId}/announcements/{id}
@env.tool(
    candidates="SELECT course_id, id AS announcement_id FROM announcements",
    refused={"not_found": "SELECT id AS course_id, 'NOSUCH' AS announcement_id FROM courses"},
)
def get_announcement(world: World, course_id: CourseId, announcement_id: AnnouncementId) -> Announcement:
    """Return one announcement.

    Args:
        course_id: The course it belongs to.
        announcement_id: Identifier of the announcement.
    """
    read_course(world, course_id)
    return read_announcement(world, announcement_id, course_id=course_id)


# Plays POST /v1/courses/{courseId}/announcements
@env.tool(writes=["announcements"], candidates="SELECT course_id, state FROM announcements")
def create_announcement(
    world: World,
    course_id: CourseId,
    state: State,
    assignee_mode: AssigneeMode | None = None,
    scheduled_time: Moment | None = None,
    text: Line | None = None,
    individual_students_options: IndividualStudentsOptions | None = None,
) -> Announcement:
    """Create an announcement.

    Args:
        course_id: The course it will belong to.
        state: Status of this announcement.
        assignee_mode: Assignee mode of the announcement.
        scheduled_time: Optional timestamp when this announcement is scheduled to be published.
        text: Description of this announcement.
        individual_students_options: Identifiers of students with access to the announcement.
    """
    read_course(world, course_id)
    announcement_id = world.new_code("announcements.id")
    world.run(
        """
        INSERT INTO announcements (id, course_id, state, assignee_mode, scheduled_time, text,
            individual_students_options, creation_time, update_time)
        VALUES (:id, :course_id, :state, :assignee_mode, :scheduled_time, :text,
            :individual_students_options, :creation_time, :update_time)
        """,
        id=announcement_id,
        course_id=course_id,
        state=state,
        assignee_mode=assignee_mode,
        scheduled_time=scheduled_time,
        text=text,
        individual_students_options=packed(individual_students_options),
        creation_time=world.now,
        update_time=world.now,
    )
    return read_announcement(world, announcement_id)


# Plays PATCH /v1/courses/{courseId}/announcements/{id}
@env.tool(
    writes=["announcements"],
    destructive=True,
    idempotent=True,
    candidates="SELECT course_id, id AS announcement_id, state FROM announcements",
)
def update_announcement(
    world: World,
    course_id: CourseId,
    announcement_id: AnnouncementId,
    state: State | None = None,
    assignee_mode: AssigneeMode | None = None,
    scheduled_time: Moment | None = None,
    text: Line | None = None,
    individual_students_options: IndividualStudentsOptions | None = None,
) -> Announcement:
    """Change the given fields of an announcement; the others keep their values.

    Args:
        course_id: The course it belongs to.
        announcement_id: Identifier of the announcement.
        state: Status of this announcement.
        assignee_mode: Assignee mode of the announcement.
        scheduled_time: Optional timestamp when this announcement is scheduled to be published.
        text: Description of this announcement.
        individual_students_options: Identifiers of students with access to the announcement.
    """
    read_course(world, course_id)
    read_announcement(world, announcement_id, course_id=course_id)
    world.run(
        """
        UPDATE announcements
        SET state = coalesce(:state, state),
            assignee_mode = coalesce(:assignee_mode, assignee_mode),
            scheduled_time = coalesce(:scheduled_time, scheduled_time),
            text = coalesce(:text, text),
            individual_students_options = coalesce(:individual_students_options, individual_students_options),
            update_time = :now
        WHERE id = :announcement_id
        """,
        state=state,
        assignee_mode=assignee_mode,
        scheduled_time=scheduled_time,
        text=text,
        individual_students_options=packed(individual_students_options),
        now=world.now,
        announcement_id=announcement_id,
    )
    return read_announcement(world, announcement_id)


# Plays DELETE /v1/courses/{courseId}/announcements/{id}
@env.tool(
    writes=["announcements"],
    destructive=True,
    confirm=["announcement_id"],
    candidates="SELECT course_id, id AS announcement_id FROM announcements",
    refused={"not_found": "SELECT id AS course_id, 'NOSUCH' AS announcement_id FROM courses"},
)
def delete_announcement(world: World, course_id: CourseId, announcement_id: AnnouncementId) -> Deleted:
    """Delete an announcement.

    Args:
        course_id: The course it belongs to.
        announcement_id: Identifier of the announcement.
    """
    read_course(world, course_id)
    read_announcement(world, announcement_id, course_id=course_id)
    world.run("DELETE FROM announcements WHERE id = :announcement_id", announcement_id=announcement_id)
    return {"deleted": announcement_id}


# Plays POST /v1/courses/{courseId}/announcements/{id}:modifyAssignees
@env.tool(
    writes=["announcements"],
    destructive=True,
    idempotent=True,
    candidates="""
    SELECT course_id, id AS announcement_id, assignee_mode
    FROM announcements WHERE assignee_mode IS NOT NULL
    """,
)
def modify_assignees_announcement(
    world: World,
    course_id: CourseId,
    announcement_id: AnnouncementId,
    assignee_mode: AssigneeMode | None = None,
) -> Announcement:
    """Change the given fields of an announcement; the others keep their values.

    Args:
        course_id: The course it belongs to.
        announcement_id: Identifier of the announcement.
        assignee_mode: Assignee mode of the announcement.
    """
    read_course(world, course_id)
    read_announcement(world, announcement_id, course_id=course_id)
    world.run(
        """
        UPDATE announcements
        SET assignee_mode = coalesce(:assignee_mode, assignee_mode), update_time = :now
        WHERE id = :announcement_id
        """,
        assignee_mode=assignee_mode,
        now=world.now,
        announcement_id=announcement_id,
    )
    return read_announcement(world, announcement_id)


# ---------------------------------------------------------------- student groups


def read_student_group(
    world: World,
    student_group_id: str,
    field: str = "student_group_id",
    *,
    course_id: str | None = None,
) -> StudentGroup:
    """The student group with that student_group_id, in that course_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM student_groups WHERE id = :key AND (:parent IS NULL OR course_id = :parent)",
        key=student_group_id,
        parent=course_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no student group {student_group_id}.", field=field)
    return as_student_group(row)


def as_student_group(row: dict[str, Any]) -> StudentGroup:
    """A stored student group as tools return it."""
    return cast(StudentGroup, row)


# Plays GET /v1/courses/{courseId}/studentGroups
@env.tool(candidates="SELECT id AS course_id FROM courses")
def list_student_groups(
    world: World,
    course_id: CourseId,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> StudentGroups:
    """List student groups, one page at a time; what is not given does not narrow the list.

    Args:
        course_id: The course whose student groups to list.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    read_course(world, course_id)
    start = int(cursor or 0)
    rows = world.all("SELECT * FROM student_groups WHERE course_id = :course_id ORDER BY id", course_id=course_id)
    return {
        "student_groups": [as_student_group(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays POST /v1/courses/{courseId}/studentGroups
@env.tool(writes=["student_groups"], candidates="SELECT course_id, title FROM student_groups")
def create_student_group(world: World, course_id: CourseId, title: Line) -> StudentGroup:
    """Create a student group.

    Args:
        course_id: The course it will belong to.
        title: The title of the student group.
    """
    read_course(world, course_id)
    student_group_id = world.new_code("student_groups.id")
    world.run(
        "INSERT INTO student_groups (id, course_id, title) VALUES (:id, :course_id, :title)",
        id=student_group_id,
        course_id=course_id,
        title=title,
    )
    return read_student_group(world, student_group_id)


# Plays PATCH /v1/courses/{courseId}/studentGroups/{id}
@env.tool(
    writes=["student_groups"],
    destructive=True,
    idempotent=True,
    candidates="SELECT course_id, id AS student_group_id, title FROM student_groups",
)
def update_student_group(
    world: World,
    course_id: CourseId,
    student_group_id: StudentGroupId,
    title: Line | None = None,
) -> StudentGroup:
    """Change the given fields of a student group; the others keep their values.

    Args:
        course_id: The course it belongs to.
        student_group_id: Identifier of the student group.
        title: The title of the student group.
    """
    read_course(world, course_id)
    read_student_group(world, student_group_id, course_id=course_id)
    world.run(
        "UPDATE student_groups SET title = coalesce(:title, title) WHERE id = :student_group_id",
        title=title,
        student_group_id=student_group_id,
    )
    return read_student_group(world, student_group_id)


# Plays DELETE /v1/courses/{courseId}/studentGroups/{id}
@env.tool(
    writes=["student_groups"],
    destructive=True,
    confirm=["student_group_id"],
    candidates="SELECT course_id, id AS student_group_id FROM student_groups",
    refused={"not_found": "SELECT id AS course_id, 'NOSUCH' AS student_group_id FROM courses"},
)
def delete_student_group(world: World, course_id: CourseId, student_group_id: StudentGroupId) -> Deleted:
    """Delete a student group.

    Args:
        course_id: The course it belongs to.
        student_group_id: Identifier of the student group.
    """
    read_course(world, course_id)
    read_student_group(world, student_group_id, course_id=course_id)
    world.run("DELETE FROM student_groups WHERE id = :student_group_id", student_group_id=student_group_id)
    return {"deleted": student_group_id}


# ---------------------------------------------------------------- topics


def read_topic(world: World, topic_id: str, field: str = "topic_id", *, course_id: str | None = None) -> Topic:
    """The topic with that topic_id, in that course_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM topics WHERE topic_id = :key AND (:parent IS NULL OR course_id = :parent)",
        key=topic_id,
        parent=course_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no topic {topic_id}.", field=field)
    return as_topic(row)


def as_topic(row: dict[str, Any]) -> Topic:
    """A stored topic as tools return it."""
    return cast(Topic, row)


# Plays GET /v1/courses/{courseId}/topics
@env.tool(candidates="SELECT id AS course_id FROM courses")
def list_topics(
    world: World,
    course_id: CourseId,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> Topics:
    """List topics, one page at a time; what is not given does not narrow the list.

    Args:
        course_id: The course whose topics to list.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    read_course(world, course_id)
    start = int(cursor or 0)
    rows = world.all("SELECT * FROM topics WHERE course_id = :course_id ORDER BY topic_id", course_id=course_id)
    return {
        "topics": [as_topic(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /v1/courses/{courseId}/topics/{id}
@env.tool(
    candidates="SELECT course_id, topic_id FROM topics",
    refused={"not_found": "SELECT id AS course_id, 'NOSUCH' AS topic_id FROM courses"},
)
def get_topic(world: World, course_id: CourseId, topic_id: TopicId) -> Topic:
    """Return one topic.

    Args:
        course_id: The course it belongs to.
        topic_id: Topic id of the topic.
    """
    read_course(world, course_id)
    return read_topic(world, topic_id, course_id=course_id)


# Plays POST /v1/courses/{courseId}/topics
@env.tool(writes=["topics"], candidates="SELECT course_id, name FROM topics")
def create_topic(world: World, course_id: CourseId, name: Line) -> Topic:
    """Create a topic.

    Args:
        course_id: The course it will belong to.
        name: The name of the topic, generated by the user.
    """
    read_course(world, course_id)
    topic_id = world.new_code("topics.topic_id")
    world.run(
        """
        INSERT INTO topics (topic_id, course_id, name, update_time)
        VALUES (:topic_id, :course_id, :name, :update_time)
        """,
        topic_id=topic_id,
        course_id=course_id,
        name=name,
        update_time=world.now,
    )
    return read_topic(world, topic_id)


# Plays PATCH /v1/courses/{courseId}/topics/{id}
@env.tool(
    writes=["topics"],
    destructive=True,
    idempotent=True,
    candidates="SELECT course_id, topic_id, name FROM topics",
)
def update_topic(world: World, course_id: CourseId, topic_id: TopicId, name: Line | None = None) -> Topic:
    """Change the given fields of a topic; the others keep their values.

    Args:
        course_id: The course it belongs to.
        topic_id: Topic id of the topic.
        name: The name of the topic, generated by the user.
    """
    read_course(world, course_id)
    read_topic(world, topic_id, course_id=course_id)
    world.run(
        "UPDATE topics SET name = coalesce(:name, name), update_time = :now WHERE topic_id = :topic_id",
        name=name,
        now=world.now,
        topic_id=topic_id,
    )
    return read_topic(world, topic_id)


# Plays DELETE /v1/courses/{courseId}/topics/{id}
@env.tool(
    writes=["topics"],
    destructive=True,
    confirm=["topic_id"],
    candidates="""
    SELECT course_id, topic_id
    FROM topics
    WHERE NOT EXISTS (SELECT 1 FROM course_works WHERE topic_id = topics.topic_id)
      AND NOT EXISTS (SELECT 1 FROM course_work_materials WHERE topic_id = topics.topic_id)
    """,
    refused={
        "not_found": "SELECT id AS course_id, 'NOSUCH' AS topic_id FROM courses",
        "keep-used-topics": """
        SELECT course_id, topic_id
        FROM topics
        WHERE EXISTS (SELECT 1 FROM course_works WHERE topic_id = topics.topic_id)
        """,
    },
)
def delete_topic(world: World, course_id: CourseId, topic_id: TopicId) -> Deleted:
    """Delete a topic; refused while course works or course work materials refer to it.

    Args:
        course_id: The course it belongs to.
        topic_id: Topic id of the topic.
    """
    read_course(world, course_id)
    read_topic(world, topic_id, course_id=course_id)
    refuse_while_used(
        world,
        topic_id,
        "topic_id",
        "keep-used-topics",
        {
            "course works": "SELECT count(*) FROM course_works WHERE topic_id = :key",
            "course work materials": "SELECT count(*) FROM course_work_materials WHERE topic_id = :key",
        },
    )
    world.run("DELETE FROM topics WHERE topic_id = :topic_id", topic_id=topic_id)
    return {"deleted": topic_id}


# ---------------------------------------------------------------- course works


def read_course_work(
    world: World,
    course_work_id: str,
    field: str = "course_work_id",
    *,
    course_id: str | None = None,
) -> CourseWork:
    """The course work with that course_work_id, in that course_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM course_works WHERE id = :key AND (:parent IS NULL OR course_id = :parent)",
        key=course_work_id,
        parent=course_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no course work {course_work_id}.", field=field)
    return as_course_work(row)


def as_course_work(row: dict[str, Any]) -> CourseWork:
    """A stored course work as tools return it."""
    converted = {
        "individual_students_options": parsed(row["individual_students_options"]),
        "multiple_choice_question": parsed(row["multiple_choice_question"]),
    }
    return cast(CourseWork, row | converted)


# Plays GET /v1/courses/{courseId}/courseWork
@env.tool(candidates="SELECT id AS course_id FROM courses")
def list_course_works(
    world: World,
    course_id: CourseId,
    topic_id: TopicId | None = None,
    assignee_mode: AssigneeMode | None = None,
    state: State | None = None,
    submission_modification_mode: SubmissionModificationMode | None = None,
    work_type: WorkType | None = None,
    sort_by: CourseWorkOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=30)] = 20,
    cursor: Cursor | None = None,
) -> CourseWorks:
    """List course works, one page at a time; what is not given does not narrow the list.

    Args:
        course_id: The course whose course works to list.
        topic_id: Only course works with this topic ID.
        assignee_mode: Only course works with this assignee mode.
        state: Only course works with this state.
        submission_modification_mode: Only course works with this submission modification mode.
        work_type: Only course works with this work type.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    read_course(world, course_id)
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM course_works
        WHERE course_id = :course_id
          AND (:topic_id IS NULL OR topic_id = :topic_id)
          AND (:assignee_mode IS NULL OR assignee_mode = :assignee_mode)
          AND (:state IS NULL OR state = :state)
          AND (:submission_modification_mode IS NULL OR submission_modification_mode = :submission_modification_mode)
          AND (:work_type IS NULL OR work_type = :work_type)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        course_id=course_id,
        topic_id=topic_id,
        assignee_mode=assignee_mode,
        state=state,
        submission_modification_mode=submission_modification_mode,
        work_type=work_type,
    )
    return {
        "course_works": [as_course_work(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /v1/courses/{courseId}/courseWork/{id}
@env.tool(
    candidates="SELECT course_id, id AS course_work_id FROM course_works",
    refused={"not_found": "SELECT id AS course_id, 'NOSUCH' AS course_work_id FROM courses"},
)
def get_course_work(world: World, course_id: CourseId, course_work_id: CourseWorkId) -> CourseWork:
    """Return one course work.

    Args:
        course_id: The course it belongs to.
        course_work_id: Identifier of the course work.
    """
    read_course(world, course_id)
    return read_course_work(world, course_work_id, course_id=course_id)


# Plays POST /v1/courses/{courseId}/courseWork
@env.tool(writes=["course_works"], candidates="SELECT course_id, title FROM course_works")
def create_course_work(
    world: World,
    course_id: CourseId,
    title: Line,
    topic_id: TopicId | None = None,
    assignee_mode: AssigneeMode | None = None,
    state: State | None = None,
    submission_modification_mode: SubmissionModificationMode | None = None,
    work_type: WorkType | None = None,
    due_date: Day | None = None,
    due_time_hours: Whole | None = None,
    due_time_minutes: Whole | None = None,
    due_time_nanos: Whole | None = None,
    due_time_seconds: Whole | None = None,
    max_points: Number | None = None,
    scheduled_time: Moment | None = None,
    description: Prose | None = None,
    individual_students_options: IndividualStudentsOptions | None = None,
    multiple_choice_question: MultipleChoiceQuestion | None = None,
) -> CourseWork:
    """Create a course work.

    Args:
        course_id: The course it will belong to.
        title: Title of this course work.
        topic_id: Identifier for the topic that this coursework is associated with.
        assignee_mode: Assignee mode of the coursework.
        state: Status of this course work.
        submission_modification_mode: Setting to determine when students are allowed to modify submissions.
        work_type: Type of this course work.
        due_date: Optional date, in UTC, that submissions for this course work are due.
        due_time_hours: Hours of a day in 24 hour format.
        due_time_minutes: Minutes of an hour.
        due_time_nanos: Fractions of seconds, in nanoseconds.
        due_time_seconds: Seconds of a minute.
        max_points: Maximum grade for this course work.
        scheduled_time: Optional timestamp when this course work is scheduled to be published.
        description: Optional description of this course work.
        individual_students_options: Identifiers of students with access to the coursework.
        multiple_choice_question: Multiple choice question details.
    """
    read_course(world, course_id)
    if topic_id is not None:
        read_topic(world, topic_id, course_id=course_id)
    course_work_id = world.new_code("course_works.id")
    world.run(
        """
        INSERT INTO course_works (id, course_id, title, topic_id, assignee_mode, state,
            submission_modification_mode, work_type, due_date, due_time_hours, due_time_minutes,
            due_time_nanos, due_time_seconds, max_points, scheduled_time, description,
            individual_students_options, multiple_choice_question, creation_time, update_time)
        VALUES (:id, :course_id, :title, :topic_id, :assignee_mode, :state, :submission_modification_mode,
            :work_type, :due_date, :due_time_hours, :due_time_minutes, :due_time_nanos, :due_time_seconds,
            :max_points, :scheduled_time, :description, :individual_students_options,
            :multiple_choice_question, :creation_time, :update_time)
        """,
        id=course_work_id,
        course_id=course_id,
        title=title,
        topic_id=topic_id,
        assignee_mode=assignee_mode,
        state=state,
        submission_modification_mode=submission_modification_mode,
        work_type=work_type,
        due_date=due_date,
        due_time_hours=due_time_hours,
        due_time_minutes=due_time_minutes,
        due_time_nanos=due_time_nanos,
        due_time_seconds=due_time_seconds,
        max_points=max_points,
        scheduled_time=scheduled_time,
        description=description,
        individual_students_options=packed(individual_students_options),
        multiple_choice_question=packed(multiple_choice_question),
        creation_time=world.now,
        update_time=world.now,
    )
    return read_course_work(world, course_work_id)


# Plays PATCH /v1/courses/{courseId}/courseWork/{id}
@env.tool(
    writes=["course_works"],
    destructive=True,
    idempotent=True,
    candidates="SELECT course_id, id AS course_work_id, title FROM course_works",
)
def update_course_work(
    world: World,
    course_id: CourseId,
    course_work_id: CourseWorkId,
    title: Line | None = None,
    topic_id: TopicId | None = None,
    assignee_mode: AssigneeMode | None = None,
    state: State | None = None,
    submission_modification_mode: SubmissionModificationMode | None = None,
    work_type: WorkType | None = None,
    due_date: Day | None = None,
    due_time_hours: Whole | None = None,
    due_time_minutes: Whole | None = None,
    due_time_nanos: Whole | None = None,
    due_time_seconds: Whole | None = None,
    max_points: Number | None = None,
    scheduled_time: Moment | None = None,
    description: Prose | None = None,
    individual_students_options: IndividualStudentsOptions | None = None,
    multiple_choice_question: MultipleChoiceQuestion | None = None,
) -> CourseWork:
    """Change the given fields of a course work; the others keep their values.

    Args:
        course_id: The course it belongs to.
        course_work_id: Identifier of the course work.
        title: Title of this course work.
        topic_id: Identifier for the topic that this coursework is associated with.
        assignee_mode: Assignee mode of the coursework.
        state: Status of this course work.
        submission_modification_mode: Setting to determine when students are allowed to modify submissions.
        work_type: Type of this course work.
        due_date: Optional date, in UTC, that submissions for this course work are due.
        due_time_hours: Hours of a day in 24 hour format.
        due_time_minutes: Minutes of an hour.
        due_time_nanos: Fractions of seconds, in nanoseconds.
        due_time_seconds: Seconds of a minute.
        max_points: Maximum grade for this course work.
        scheduled_time: Optional timestamp when this course work is scheduled to be published.
        description: Optional description of this course work.
        individual_students_options: Identifiers of students with access to the coursework.
        multiple_choice_question: Multiple choice question details.
    """
    read_course(world, course_id)
    read_course_work(world, course_work_id, course_id=course_id)
    if topic_id is not None:
        read_topic(world, topic_id, course_id=course_id)
    world.run(
        """
        UPDATE course_works
        SET title = coalesce(:title, title),
            topic_id = coalesce(:topic_id, topic_id),
            assignee_mode = coalesce(:assignee_mode, assignee_mode),
            state = coalesce(:state, state),
            submission_modification_mode =
                coalesce(:submission_modification_mode, submission_modification_mode),
            work_type = coalesce(:work_type, work_type),
            due_date = coalesce(:due_date, due_date),
            due_time_hours = coalesce(:due_time_hours, due_time_hours),
            due_time_minutes = coalesce(:due_time_minutes, due_time_minutes),
            due_time_nanos = coalesce(:due_time_nanos, due_time_nanos),
            due_time_seconds = coalesce(:due_time_seconds, due_time_seconds),
            max_points = coalesce(:max_points, max_points),
            scheduled_time = coalesce(:scheduled_time, scheduled_time),
            description = coalesce(:description, description),
            individual_students_options = coalesce(:individual_students_options, individual_students_options),
            multiple_choice_question = coalesce(:multiple_choice_question, multiple_choice_question),
            update_time = :now
        WHERE id = :course_work_id
        """,
        title=title,
        topic_id=topic_id,
        assignee_mode=assignee_mode,
        state=state,
        submission_modification_mode=submission_modification_mode,
        work_type=work_type,
        due_date=due_date,
        due_time_hours=due_time_hours,
        due_time_minutes=due_time_minutes,
        due_time_nanos=due_time_nanos,
        due_time_seconds=due_time_seconds,
        max_points=max_points,
        scheduled_time=scheduled_time,
        description=description,
        individual_students_options=packed(individual_students_options),
        multiple_choice_question=packed(multiple_choice_question),
        now=world.now,
        course_work_id=course_work_id,
    )
    return read_course_work(world, course_work_id)


# Plays DELETE /v1/courses/{courseId}/courseWork/{id}
@env.tool(
    writes=["course_works"],
    destructive=True,
    confirm=["course_work_id"],
    candidates="SELECT course_id, id AS course_work_id FROM course_works",
    refused={"not_found": "SELECT id AS course_id, 'NOSUCH' AS course_work_id FROM courses"},
)
def delete_course_work(world: World, course_id: CourseId, course_work_id: CourseWorkId) -> Deleted:
    """Delete a course work.

    Args:
        course_id: The course it belongs to.
        course_work_id: Identifier of the course work.
    """
    read_course(world, course_id)
    read_course_work(world, course_work_id, course_id=course_id)
    world.run("DELETE FROM course_works WHERE id = :course_work_id", course_work_id=course_work_id)
    return {"deleted": course_work_id}


# Plays POST /v1/courses/{courseId}/courseWork/{id}:modifyAssignees
@env.tool(
    writes=["course_works"],
    destructive=True,
    idempotent=True,
    candidates="""
    SELECT course_id, id AS course_work_id, assignee_mode
    FROM course_works WHERE assignee_mode IS NOT NULL
    """,
)
def modify_assignees_course_work(
    world: World,
    course_id: CourseId,
    course_work_id: CourseWorkId,
    assignee_mode: AssigneeMode | None = None,
) -> CourseWork:
    """Change the given fields of a course work; the others keep their values.

    Args:
        course_id: The course it belongs to.
        course_work_id: Identifier of the course work.
        assignee_mode: Assignee mode of the coursework.
    """
    read_course(world, course_id)
    read_course_work(world, course_work_id, course_id=course_id)
    world.run(
        """
        UPDATE course_works
        SET assignee_mode = coalesce(:assignee_mode, assignee_mode), update_time = :now
        WHERE id = :course_work_id
        """,
        assignee_mode=assignee_mode,
        now=world.now,
        course_work_id=course_work_id,
    )
    return read_course_work(world, course_work_id)


# ---------------------------------------------------------------- course work materials


def read_course_work_material(
    world: World,
    course_work_material_id: str,
    field: str = "course_work_material_id",
    *,
    course_id: str | None = None,
) -> CourseWorkMaterial:
    """The course work material with that course_work_material_id, in that course_id if given; refused where there is
    none.
    """
    row = world.one(
        "SELECT * FROM course_work_materials WHERE id = :key AND (:parent IS NULL OR course_id = :parent)",
        key=course_work_material_id,
        parent=course_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no course work material {course_work_material_id}.", field=field)
    return as_course_work_material(row)


def as_course_work_material(row: dict[str, Any]) -> CourseWorkMaterial:
    """A stored course work material as tools return it."""
    converted = {"individual_students_options": parsed(row["individual_students_options"])}
    return cast(CourseWorkMaterial, row | converted)


# Plays GET /v1/courses/{courseId}/courseWorkMaterials
@env.tool(candidates="SELECT id AS course_id FROM courses")
def list_course_work_materials(
    world: World,
    course_id: CourseId,
    topic_id: TopicId | None = None,
    assignee_mode: AssigneeMode | None = None,
    state: State | None = None,
    sort_by: CourseWorkMaterialOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=60)] = 20,
    cursor: Cursor | None = None,
) -> CourseWorkMaterials:
    """List course work materials, one page at a time; what is not given does not narrow the list.

    Args:
        course_id: The course whose course work materials to list.
        topic_id: Only course work materials with this topic ID.
        assignee_mode: Only course work materials with this assignee mode.
        state: Only course work materials with this state.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    read_course(world, course_id)
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM course_work_materials
        WHERE course_id = :course_id
          AND (:topic_id IS NULL OR topic_id = :topic_id)
          AND (:assignee_mode IS NULL OR assignee_mode = :assignee_mode)
          AND (:state IS NULL OR state = :state)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        course_id=course_id,
        topic_id=topic_id,
        assignee_mode=assignee_mode,
        state=state,
    )
    return {
        "course_work_materials": [as_course_work_material(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /v1/courses/{courseId}/courseWorkMaterials/{id}
@env.tool(
    candidates="SELECT course_id, id AS course_work_material_id FROM course_work_materials",
    refused={"not_found": "SELECT id AS course_id, 'NOSUCH' AS course_work_material_id FROM courses"},
)
def get_course_work_material(
    world: World,
    course_id: CourseId,
    course_work_material_id: CourseWorkMaterialId,
) -> CourseWorkMaterial:
    """Return one course work material.

    Args:
        course_id: The course it belongs to.
        course_work_material_id: Identifier of the course work material.
    """
    read_course(world, course_id)
    return read_course_work_material(world, course_work_material_id, course_id=course_id)


# Plays POST /v1/courses/{courseId}/courseWorkMaterials
@env.tool(writes=["course_work_materials"], candidates="SELECT course_id, title FROM course_work_materials")
def create_course_work_material(
    world: World,
    course_id: CourseId,
    title: Line,
    topic_id: TopicId | None = None,
    assignee_mode: AssigneeMode | None = None,
    state: State | None = None,
    scheduled_time: Moment | None = None,
    description: Prose | None = None,
    individual_students_options: IndividualStudentsOptions | None = None,
) -> CourseWorkMaterial:
    """Create a course work material.

    Args:
        course_id: The course it will belong to.
        title: Title of this course work material.
        topic_id: Identifier for the topic that this course work material is associated with.
        assignee_mode: Assignee mode of the course work material.
        state: Status of this course work material.
        scheduled_time: Optional timestamp when this course work material is scheduled to be published.
        description: Optional description of this course work material.
        individual_students_options: Identifiers of students with access to the course work material.
    """
    read_course(world, course_id)
    if topic_id is not None:
        read_topic(world, topic_id, course_id=course_id)
    course_work_material_id = world.new_code("course_work_materials.id")
    world.run(
        """
        INSERT INTO course_work_materials (id, course_id, title, topic_id, assignee_mode, state,
            scheduled_time, description, individual_students_options, creation_time, update_time)
        VALUES (:id, :course_id, :title, :topic_id, :assignee_mode, :state, :scheduled_time, :description,
            :individual_students_options, :creation_time, :update_time)
        """,
        id=course_work_material_id,
        course_id=course_id,
        title=title,
        topic_id=topic_id,
        assignee_mode=assignee_mode,
        state=state,
        scheduled_time=scheduled_time,
        description=description,
        individual_students_options=packed(individual_students_options),
        creation_time=world.now,
        update_time=world.now,
    )
    return read_course_work_material(world, course_work_material_id)


# Plays PATCH /v1/courses/{courseId}/courseWorkMaterials/{id}
@env.tool(
    writes=["course_work_materials"],
    destructive=True,
    idempotent=True,
    candidates="SELECT course_id, id AS course_work_material_id, title FROM course_work_materials",
)
def update_course_work_material(
    world: World,
    course_id: CourseId,
    course_work_material_id: CourseWorkMaterialId,
    title: Line | None = None,
    topic_id: TopicId | None = None,
    assignee_mode: AssigneeMode | None = None,
    state: State | None = None,
    scheduled_time: Moment | None = None,
    description: Prose | None = None,
    individual_students_options: IndividualStudentsOptions | None = None,
) -> CourseWorkMaterial:
    """Change the given fields of a course work material; the others keep their values.

    Args:
        course_id: The course it belongs to.
        course_work_material_id: Identifier of the course work material.
        title: Title of this course work material.
        topic_id: Identifier for the topic that this course work material is associated with.
        assignee_mode: Assignee mode of the course work material.
        state: Status of this course work material.
        scheduled_time: Optional timestamp when this course work material is scheduled to be published.
        description: Optional description of this course work material.
        individual_students_options: Identifiers of students with access to the course work material.
    """
    read_course(world, course_id)
    read_course_work_material(world, course_work_material_id, course_id=course_id)
    if topic_id is not None:
        read_topic(world, topic_id, course_id=course_id)
    world.run(
        """
        UPDATE course_work_materials
        SET title = coalesce(:title, title),
            topic_id = coalesce(:topic_id, topic_id),
            assignee_mode = coalesce(:assignee_mode, assignee_mode),
            state = coalesce(:state, state),
            scheduled_time = coalesce(:scheduled_time, scheduled_time),
            description = coalesce(:description, description),
            individual_students_options = coalesce(:individual_students_options, individual_students_options),
            update_time = :now
        WHERE id = :course_work_material_id
        """,
        title=title,
        topic_id=topic_id,
        assignee_mode=assignee_mode,
        state=state,
        scheduled_time=scheduled_time,
        description=description,
        individual_students_options=packed(individual_students_options),
        now=world.now,
        course_work_material_id=course_work_material_id,
    )
    return read_course_work_material(world, course_work_material_id)


# Plays DELETE /v1/courses/{courseId}/courseWorkMaterials/{id}
@env.tool(
    writes=["course_work_materials"],
    destructive=True,
    confirm=["course_work_material_id"],
    candidates="SELECT course_id, id AS course_work_material_id FROM course_work_materials",
    refused={"not_found": "SELECT id AS course_id, 'NOSUCH' AS course_work_material_id FROM courses"},
)
def delete_course_work_material(
    world: World,
    course_id: CourseId,
    course_work_material_id: CourseWorkMaterialId,
) -> Deleted:
    """Delete a course work material.

    Args:
        course_id: The course it belongs to.
        course_work_material_id: Identifier of the course work material.
    """
    read_course(world, course_id)
    read_course_work_material(world, course_work_material_id, course_id=course_id)
    world.run(
        "DELETE FROM course_work_materials WHERE id = :course_work_material_id",
        course_work_material_id=course_work_material_id,
    )
    return {"deleted": course_work_material_id}


if __name__ == "__main__":
    env.serve()
