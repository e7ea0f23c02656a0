-- Tables of CRM API, compiled from its API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Activities.
CREATE TABLE activities (
    id TEXT PRIMARY KEY NOT NULL,  -- The unique identifier of the activity; compare: generated
    title TEXT,  -- The title of the activity
    type TEXT NOT NULL CHECK (type IN ('call', 'meeting', 'email', 'note', 'task', 'deadline', 'send-letter', 'send-quote', 'other')),  -- The type of the activity
    company_id TEXT REFERENCES companies (id),  -- The company related to the activity
    contact_id TEXT REFERENCES contacts (id),  -- The contact related to the activity
    lead_id TEXT REFERENCES leads (id),  -- The lead related to the activity
    opportunity_id TEXT REFERENCES opportunities (id),  -- The opportunity related to the activity
    owner_id TEXT REFERENCES users (id),  -- The owner of the activity
    user_id TEXT REFERENCES users (id),  -- The user related to the activity
    show_as TEXT CHECK (show_as IN ('free', 'busy')),
    activity_date TEXT,  -- The date of the activity
    activity_datetime TEXT,  -- The date and time of the activity
    end_date TEXT,  -- The end date of the activity
    end_datetime TEXT,  -- The end date and time of the activity
    location TEXT,  -- The location of the activity
    reminder_datetime TEXT,  -- The date and time of the reminder
    start_datetime TEXT,  -- The start date and time of the activity
    description TEXT,  -- A description of the activity; compare: text(ignored)
    attendees TEXT CHECK (attendees IS NULL OR json_valid(attendees)),
    created_at TEXT,  -- The date and time when the activity was created
    updated_at TEXT  -- The date and time when the activity was last updated
) STRICT;

-- Companies.
CREATE TABLE companies (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for the company; compare: generated
    name TEXT NOT NULL,  -- Name of the company
    owner_id TEXT REFERENCES users (id),  -- Owner ID
    currency TEXT,  -- Indicates the associated currency for an amount of money
    abn_branch TEXT,  -- An ABN Branch (also known as a GST Branch) is used if part of your business needs to account for GST separately from its parent entity
    abn_or_tfn TEXT,  -- An ABN is necessary for operating a business, while a TFN (Tax File Number) is required for any person working in Australia
    acn TEXT,  -- The Australian Company Number (ACN) is a nine digit number with the last digit being a check digit calculated using a modified modulus 10 calculation
    annual_revenue TEXT,  -- The annual revenue of the company
    birthday TEXT,  -- The date of birth of the person
    first_name TEXT,  -- The first name of the person
    industry TEXT,  -- The industry represents the type of business the company is in
    last_name TEXT,  -- The last name of the person
    number_of_employees TEXT,  -- Number of employees
    ownership TEXT,  -- The ownership indicates the type of ownership of the company
    status TEXT,  -- The status of the company
    description TEXT,  -- A description of the company; compare: text(ignored)
    emails TEXT CHECK (emails IS NULL OR json_valid(emails)),
    phone_numbers TEXT CHECK (phone_numbers IS NULL OR json_valid(phone_numbers)),
    tags TEXT CHECK (tags IS NULL OR json_valid(tags)),
    created_at TEXT,  -- Creation date
    updated_at TEXT  -- Last updated date
) STRICT;

-- Contacts.
CREATE TABLE contacts (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for the contact; compare: generated
    name TEXT NOT NULL,  -- Full name of the contact
    title TEXT,  -- The job title of the contact
    company_id TEXT REFERENCES companies (id),  -- The company the contact is associated with
    lead_id TEXT REFERENCES leads (id),  -- The lead the contact is associated with
    owner_id TEXT REFERENCES users (id),  -- The owner of the contact
    gender TEXT CHECK (gender IN ('male', 'female', 'unisex')),  -- The gender of the contact
    type TEXT CHECK (type IN ('customer', 'supplier', 'employee', 'personal')),  -- The type of the contact
    active INTEGER CHECK (active IN (0, 1)),  -- The active status of the contact
    birthday TEXT,  -- The birthday of the contact
    current_balance REAL,  -- The current balance of the contact; compare: number(0.01)
    first_name TEXT,  -- The first name of the contact
    last_name TEXT,  -- The last name of the contact
    status TEXT,  -- The status of the contact
    description TEXT,  -- The description of the contact; compare: text(ignored)
    emails TEXT CHECK (emails IS NULL OR json_valid(emails)),
    phone_numbers TEXT CHECK (phone_numbers IS NULL OR json_valid(phone_numbers)),
    tags TEXT CHECK (tags IS NULL OR json_valid(tags)),
    created_at TEXT,  -- The creation date of the contact
    updated_at TEXT  -- The last update date of the contact
) STRICT;

-- Leads.
CREATE TABLE leads (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for the contact; compare: generated
    name TEXT NOT NULL,  -- Full name of the lead
    title TEXT,  -- The job title of the lead
    company_id TEXT REFERENCES companies (id),  -- The company the lead is associated with
    owner_id TEXT REFERENCES users (id),  -- The owner of the lead
    currency TEXT,  -- Indicates the associated currency for an amount of money
    first_name TEXT,  -- The first name of the lead
    language TEXT,  -- language code according to ISO 639-1
    last_name TEXT,  -- The last name of the lead
    lead_source TEXT,  -- The source of the lead
    monetary_amount REAL,  -- The monetary amount of the lead; compare: number(0.01)
    prefix TEXT,  -- The prefix of the lead
    status TEXT,
    description TEXT,  -- The description of the lead; compare: text(ignored)
    addresses TEXT CHECK (addresses IS NULL OR json_valid(addresses)),
    emails TEXT CHECK (emails IS NULL OR json_valid(emails)),
    phone_numbers TEXT CHECK (phone_numbers IS NULL OR json_valid(phone_numbers)),
    tags TEXT CHECK (tags IS NULL OR json_valid(tags)),
    created_at TEXT,  -- Date created in ISO 8601 format
    updated_at TEXT  -- Date updated in ISO 8601 format
) STRICT;

-- Notes.
CREATE TABLE notes (
    id TEXT PRIMARY KEY NOT NULL,  -- The unique identifier of the note; compare: generated
    title TEXT NOT NULL,  -- The title of the note
    company_id TEXT REFERENCES companies (id),  -- The company that is related to the note
    contact_id TEXT REFERENCES contacts (id),  -- The contact that is related to the note
    lead_id TEXT REFERENCES leads (id),  -- The lead that is related to the note
    opportunity_id TEXT REFERENCES opportunities (id),  -- The opportunity that is related to the note
    owner_id TEXT REFERENCES users (id),  -- The user that owns the note
    active INTEGER CHECK (active IN (0, 1)),  -- Whether the Note is active or not
    content TEXT,  -- The content of the note; compare: text(ignored)
    created_at TEXT,  -- The timestamp when the note was created
    updated_at TEXT  -- The timestamp when the note was last updated
) STRICT;

-- Opportunities.
CREATE TABLE opportunities (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for the opportunity; compare: generated
    title TEXT NOT NULL,  -- The title or name of the opportunity
    primary_contact_id TEXT NOT NULL REFERENCES contacts (id),  -- The unique identifier of the primary contact associated with the opportunity
    company_id TEXT REFERENCES companies (id),  -- The unique identifier of the company associated with the opportunity
    contact_id TEXT REFERENCES contacts (id),  -- The unique identifier of the contact associated with the opportunity
    lead_id TEXT REFERENCES leads (id),  -- The unique identifier of the lead associated with the opportunity
    owner_id TEXT REFERENCES users (id),  -- The unique identifier of the user who owns the opportunity
    pipeline_id TEXT REFERENCES pipelines (id),  -- The unique identifier of the pipeline associated with the opportunity
    currency TEXT,  -- Indicates the associated currency for an amount of money
    close_date TEXT,  -- The actual closing date for the opportunity
    monetary_amount REAL,  -- The monetary value associated with the opportunity; compare: number(0.01)
    priority TEXT,  -- The priority level of the opportunity
    stage_last_changed_at TEXT,  -- The date and time when the stage of the opportunity was last changed
    status TEXT,  -- The current status of the opportunity
    type TEXT,  -- The type of the opportunity
    win_probability REAL,  -- The probability of winning the opportunity, expressed as a percentage; compare: number(0.01)
    description TEXT,  -- A description of the opportunity; compare: text(ignored)
    tags TEXT CHECK (tags IS NULL OR json_valid(tags)),
    created_at TEXT,  -- The date and time when the opportunity was created
    updated_at TEXT  -- The date and time when the opportunity was last updated
) STRICT;

-- Pipelines.
CREATE TABLE pipelines (
    id TEXT PRIMARY KEY NOT NULL,  -- The unique identifier of the Pipeline; compare: generated
    name TEXT NOT NULL,  -- The name of the Pipeline
    currency TEXT,  -- Indicates the associated currency for an amount of money
    active INTEGER CHECK (active IN (0, 1)),  -- Whether the Pipeline is active or not
    archived INTEGER CHECK (archived IN (0, 1)),  -- Whether the Pipeline is archived or not
    display_order INTEGER,  -- The order in which the Pipeline is displayed in the UI
    win_probability_enabled INTEGER CHECK (win_probability_enabled IN (0, 1)),  -- Whether the Pipeline has win probability enabled or not
    stages TEXT CHECK (stages IS NULL OR json_valid(stages)),  -- The Pipeline Stages
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Users.
CREATE TABLE users (
    id TEXT PRIMARY KEY NOT NULL,  -- The unique identifier for the user; compare: generated
    title TEXT,  -- The job title of the person
    username TEXT,  -- The username of the user
    emails TEXT NOT NULL CHECK (json_valid(emails)),
    parent_id TEXT REFERENCES users (id),  -- The parent user id
    company_name TEXT,  -- The name of the company
    division TEXT,  -- The division the person is currently in
    employee_number TEXT,  -- An Employee Number, Employee ID or Employee Code, is a unique number that has been assigned to each individual staff member within a company
    first_name TEXT,  -- The first name of the person
    image TEXT,  -- The URL of the user's avatar
    language TEXT,  -- language code according to ISO 639-1
    last_name TEXT,  -- The last name of the person
    status TEXT,  -- The status of the user
    description TEXT,  -- A description of the object; compare: text(ignored)
    addresses TEXT CHECK (addresses IS NULL OR json_valid(addresses)),
    phone_numbers TEXT CHECK (phone_numbers IS NULL OR json_valid(phone_numbers)),
    created_at TEXT,  -- The date and time when the user was created
    updated_at TEXT  -- The date and time when the user was last updated
) STRICT;

CREATE INDEX activities_by_company_id ON activities (company_id);
CREATE INDEX activities_by_contact_id ON activities (contact_id);
CREATE INDEX activities_by_lead_id ON activities (lead_id);
CREATE INDEX activities_by_opportunity_id ON activities (opportunity_id);
CREATE INDEX activities_by_owner_id ON activities (owner_id);
CREATE INDEX activities_by_user_id ON activities (user_id);
CREATE INDEX companies_by_owner_id ON companies (owner_id);
CREATE INDEX contacts_by_company_id ON contacts (company_id);
CREATE INDEX contacts_by_lead_id ON contacts (lead_id);
CREATE INDEX contacts_by_owner_id ON contacts (owner_id);
CREATE INDEX leads_by_company_id ON leads (company_id);
CREATE INDEX leads_by_owner_id ON leads (owner_id);
CREATE INDEX notes_by_company_id ON notes (company_id);
CREATE INDEX notes_by_contact_id ON notes (contact_id);
CREATE INDEX notes_by_lead_id ON notes (lead_id);
CREATE INDEX notes_by_opportunity_id ON notes (opportunity_id);
CREATE INDEX notes_by_owner_id ON notes (owner_id);
CREATE INDEX opportunities_by_primary_contact_id ON opportunities (primary_contact_id);
CREATE INDEX opportunities_by_company_id ON opportunities (company_id);
CREATE INDEX opportunities_by_contact_id ON opportunities (contact_id);
CREATE INDEX opportunities_by_lead_id ON opportunities (lead_id);
CREATE INDEX opportunities_by_owner_id ON opportunities (owner_id);
CREATE INDEX opportunities_by_pipeline_id ON opportunities (pipeline_id);
CREATE INDEX users_by_parent_id ON users (parent_id);
