-- Tables of Airflow API (Stable), compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Full representation of the connection.
CREATE TABLE connections (
    connection_id TEXT PRIMARY KEY NOT NULL,  -- The connection ID; compare: generated
    extra TEXT NOT NULL,  -- Other values that cannot be put into another field, e.g
    conn_type TEXT,  -- The connection type
    host TEXT,  -- Host of the connection
    login TEXT,  -- Login of the connection
    port INTEGER,  -- Port of the connection
    schema_ TEXT,  -- Schema of the connection
    description TEXT  -- The description of the connection; compare: text(ignored)
) STRICT;

-- DAG.
CREATE TABLE dags (
    dag_id TEXT PRIMARY KEY NOT NULL,  -- The ID of the DAG; compare: generated
    root_dag_id TEXT REFERENCES dags (dag_id),  -- If the DAG is SubDAG then it is the top level DAG identifier
    default_view TEXT,  -- Default view of the DAG inside the webserver New in version 2.3.0
    file_token TEXT,  -- The key containing the encrypted path to the file
    fileloc TEXT,  -- The absolute path to the file
    has_import_errors INTEGER CHECK (has_import_errors IN (0, 1)),  -- Whether the DAG has import errors New in version 2.3.0
    has_task_concurrency_limits INTEGER CHECK (has_task_concurrency_limits IN (0, 1)),  -- Whether the DAG has task concurrency limits New in version 2.3.0
    is_active INTEGER CHECK (is_active IN (0, 1)),  -- Whether the DAG is currently seen by the scheduler(s)
    is_paused INTEGER CHECK (is_paused IN (0, 1)),  -- Whether the DAG is paused
    is_subdag INTEGER CHECK (is_subdag IN (0, 1)),  -- Whether the DAG is SubDAG
    last_expired TEXT,  -- Time when the DAG last received a refresh signal (e.g. the DAG's "refresh" button was clicked in the web UI) New in version 2.3.0
    last_parsed_time TEXT,  -- The last time the DAG was parsed
    last_pickled TEXT,  -- The last time the DAG was pickled
    max_active_runs INTEGER,  -- Maximum number of active DAG runs for the DAG New in version 2.3.0
    max_active_tasks INTEGER,  -- Maximum number of active tasks that can be run on the DAG New in version 2.3.0
    next_dagrun TEXT,  -- The logical date of the next dag run
    next_dagrun_create_after TEXT,  -- Earliest time at which this next_dagrun can be created
    next_dagrun_data_interval_end TEXT,  -- The end of the interval of the next dag run
    next_dagrun_data_interval_start TEXT,  -- The start of the interval of the next dag run
    scheduler_lock INTEGER CHECK (scheduler_lock IN (0, 1)),  -- Whether (one of) the scheduler is scheduling this DAG at the moment New in version 2.3.0
    timetable_description TEXT,  -- Timetable/Schedule Interval description
    description TEXT,  -- User-provided DAG description, which can consist of several sentences or paragraphs that describe DAG contents; compare: text(ignored)
    tags TEXT CHECK (tags IS NULL OR json_valid(tags))  -- List of tags
) STRICT;

-- The pool.
CREATE TABLE pools (
    name TEXT PRIMARY KEY NOT NULL,  -- The name of pool
    slots INTEGER,  -- The maximum number of slots that can be assigned to tasks
    description TEXT  -- The description of the pool; compare: text(ignored)
) STRICT;

-- a role item.
CREATE TABLE roles (
    name TEXT PRIMARY KEY NOT NULL  -- The name of the role Changed in version 2.3.0&#58, A minimum character length requirement ('minLength') is added
) STRICT;

-- A user object.
CREATE TABLE users (
    username TEXT PRIMARY KEY NOT NULL,  -- The username
    email TEXT,  -- The user's email
    first_name TEXT,  -- The user's first name
    last_name TEXT,  -- The user's last name
    created_on TEXT  -- The date user was created
) STRICT;

-- Full representation of Variable.
CREATE TABLE variables (
    key TEXT PRIMARY KEY NOT NULL,  -- Identifier of the variable
    value TEXT,
    description TEXT  -- The description of the variable; compare: text(ignored)
) STRICT;

-- Dag runs.
CREATE TABLE dag_runs (
    dag_run_id TEXT PRIMARY KEY NOT NULL,  -- Run ID; compare: generated
    dag_id TEXT NOT NULL REFERENCES dags (dag_id),  -- The dag it belongs to
    state TEXT CHECK (state IN ('queued', 'running', 'success', 'failed')),  -- DAG State
    logical_date TEXT,  -- The logical date (previously called execution date)
    note TEXT  -- Contains manually entered notes by the user about the DagRun; compare: text(ignored)
) STRICT;

-- For details see: airflow.models.BaseOperator.
CREATE TABLE tasks (
    task_id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the task; compare: generated
    dag_id TEXT NOT NULL REFERENCES dags (dag_id),  -- The dag it belongs to
    sub_dag_id TEXT REFERENCES dags (dag_id),  -- The dag
    trigger_rule TEXT CHECK (trigger_rule IN ('all_success', 'all_failed', 'all_done', 'one_success', 'one_failed', 'none_failed', 'none_skipped', 'none_failed_or_skipped', 'none_failed_min_one_success', 'dummy')),  -- Trigger rule
    weight_rule TEXT CHECK (weight_rule IN ('downstream', 'upstream', 'absolute')),  -- Weight rule
    depends_on_past INTEGER CHECK (depends_on_past IN (0, 1)),
    end_date TEXT,
    execution_timeout_days INTEGER,
    execution_timeout_microseconds INTEGER,
    execution_timeout_seconds INTEGER,
    is_mapped INTEGER CHECK (is_mapped IN (0, 1)),
    owner TEXT,
    pool TEXT,
    pool_slots REAL,  -- compare: number(0.01)
    priority_weight REAL,  -- compare: number(0.01)
    queue TEXT,
    retries REAL,  -- compare: number(0.01)
    retry_delay_days INTEGER,
    retry_delay_microseconds INTEGER,
    retry_delay_seconds INTEGER,
    retry_exponential_backoff INTEGER CHECK (retry_exponential_backoff IN (0, 1)),
    start_date TEXT,
    ui_fgcolor TEXT,  -- Color in hexadecimal notation
    wait_for_downstream INTEGER CHECK (wait_for_downstream IN (0, 1))
) STRICT;

-- Task instances.
CREATE TABLE task_instances (
    task_id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the task instance; compare: generated
    dag_run_id TEXT NOT NULL REFERENCES dag_runs (dag_run_id),  -- The dag run it belongs to
    state TEXT,  -- Task state
    duration REAL,  -- compare: number(0.01)
    end_date TEXT,
    execution_date TEXT,
    executor_config TEXT,
    hostname TEXT,
    map_index INTEGER,
    max_tries INTEGER,
    operator TEXT,  -- Changed in version 2.1.1&#58, Field becomes nullable
    pid INTEGER,
    pool TEXT,
    pool_slots INTEGER,
    priority_weight INTEGER,
    queue TEXT,
    queued_when TEXT,
    start_date TEXT,
    try_number INTEGER,
    unixname TEXT,
    note TEXT,  -- Contains manually entered notes by the user about the TaskInstance; compare: text(ignored)
    sla_miss TEXT CHECK (sla_miss IS NULL OR json_valid(sla_miss)),
    trigger TEXT CHECK (trigger IS NULL OR json_valid(trigger))
) STRICT;

CREATE INDEX dags_by_root_dag_id ON dags (root_dag_id);
CREATE INDEX dag_runs_by_dag_id ON dag_runs (dag_id);
CREATE INDEX tasks_by_dag_id ON tasks (dag_id);
CREATE INDEX tasks_by_sub_dag_id ON tasks (sub_dag_id);
CREATE INDEX task_instances_by_dag_run_id ON task_instances (dag_run_id);
