-- Tables of HRIS API, compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Companies.
CREATE TABLE companies (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    display_name TEXT,
    legal_name TEXT NOT NULL,
    currency TEXT,  -- Indicates the associated currency for an amount of money
    status TEXT CHECK (status IN ('active', 'inactive', 'trial', 'other')),
    company_number TEXT,  -- An Company Number, Company ID or Company Code, is a unique number that has been assigned to each company
    subdomain TEXT,
    addresses TEXT CHECK (addresses IS NULL OR json_valid(addresses)),
    emails TEXT CHECK (emails IS NULL OR json_valid(emails)),
    phone_numbers TEXT CHECK (phone_numbers IS NULL OR json_valid(phone_numbers)),
    websites TEXT CHECK (websites IS NULL OR json_valid(websites)),
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Departments.
CREATE TABLE departments (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT NOT NULL,  -- Department name
    code TEXT,  -- Code
    description TEXT,  -- Description; compare: text(ignored)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Employees.
CREATE TABLE employees (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    display_name TEXT NOT NULL,  -- The name used to display the employee, often a combination of their first and last names
    title TEXT,  -- The job title of the person
    company_id TEXT REFERENCES companies (id),  -- The unique identifier of the company
    department_id TEXT REFERENCES departments (id),  -- Unique identifier of the department ID this employee belongs to
    employment_role_sub_type TEXT CHECK (employment_role_sub_type IN ('full_time', 'part_time', 'hourly', 'other')),  -- The work schedule of the employee
    employment_role_type TEXT CHECK (employment_role_type IN ('contractor', 'employee', 'freelance', 'temp', 'internship', 'other')),  -- The type of employment relationship the employee has with the organization
    employment_status TEXT CHECK (employment_status IN ('active', 'inactive', 'terminated', 'other')),  -- The employment status of the employee, indicating whether they are currently employed, inactive, terminated, or in another status
    gender TEXT CHECK (gender IN ('male', 'female', 'unisex', 'other', 'not_specified')),  -- The gender represents the gender identity of a person
    leaving_reason TEXT CHECK (leaving_reason IN ('dismissed', 'resigned', 'redundancy', 'other')),  -- The reason because the employment ended
    birthday TEXT,  -- The date of birth of the person
    deceased_on TEXT,  -- The date the person deceased
    employment_end_date TEXT,  -- An End Date is the date that the employee ended working at the company
    employment_start_date TEXT,  -- A Start Date is the date that the employee started working at the company
    first_name TEXT,  -- The first name of the person
    last_name TEXT,  -- The last name of the person
    probation_period_end_date TEXT,  -- The date that the employee ended their probation period at the company
    probation_period_start_date TEXT,  -- The date that the employee started their probation period at the company
    works_remote INTEGER CHECK (works_remote IN (0, 1)),  -- Indicates if the employee works from a remote location
    description TEXT,  -- A description of the object; compare: text(ignored)
    emails TEXT CHECK (emails IS NULL OR json_valid(emails)),
    phone_numbers TEXT CHECK (phone_numbers IS NULL OR json_valid(phone_numbers)),
    tags TEXT CHECK (tags IS NULL OR json_valid(tags)),
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Time off requests.
CREATE TABLE time_off_requests (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    request_type TEXT NOT NULL CHECK (request_type IN ('vacation', 'sick', 'personal', 'jury_duty', 'volunteer', 'bereavement', 'other')),  -- The type of request
    employee_id TEXT REFERENCES employees (id),  -- ID of the employee
    status TEXT CHECK (status IN ('requested', 'approved', 'declined', 'cancelled', 'deleted', 'other')),  -- The status of the time off request
    units TEXT CHECK (units IN ('days', 'hours', 'other')),  -- The unit of time off requested
    amount REAL,  -- The amount of time off requested; compare: number(0.01)
    approval_date TEXT,  -- The date the request was approved
    end_date TEXT,  -- The end date of the time off request
    notes_employee TEXT,  -- Employee note
    notes_manager TEXT,  -- Manager note
    request_date TEXT,  -- The date the request was made
    start_date TEXT,  -- The start date of the time off request
    description TEXT,  -- Description of the time off request; compare: text(ignored)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

CREATE INDEX employees_by_company_id ON employees (company_id);
CREATE INDEX employees_by_department_id ON employees (department_id);
CREATE INDEX time_off_requests_by_employee_id ON time_off_requests (employee_id);
