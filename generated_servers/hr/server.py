"""HRIS API: 20 tools over companies, departments, employees, time off requests.

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
from envfactory_gym.fields import Day

env = Environment(__file__)

# ---------------------------------------------------------------- what the values are

Line = Annotated[str, Field(min_length=1, max_length=200)]
"""One line of text."""
Prose = Annotated[str, Field(max_length=2000)]
"""Free text."""
Number = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
"""A number."""
Cursor = Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]
"""Where the next page starts, as a list returned it."""
Currency = Literal[
    "UNKNOWN_CURRENCY", "AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT",
    "BGN", "BHD", "BIF", "BMD", "BND", "BOB", "BOV", "BRL", "BSD", "BTN", "BWP", "BYR", "BZD", "CAD", "CDF", "CHE",
    "CHF", "CHW", "CLF", "CLP", "CNY", "COP", "COU", "CRC", "CUC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD",
    "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL",
    "HRK", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF",
    "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LTL", "LVL", "LYD", "MAD", "MDL", "MGA",
    "MKD", "MMK", "MNT", "MOP", "MRO", "MUR", "MVR", "MWK", "MXN", "MXV", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK",
    "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR",
    "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLL", "SOS", "SRD", "SSP", "STD", "SVC", "SYP", "SZL", "THB", "TJS",
    "TMT", "TND", "TOP", "TRC", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "USN", "USS", "UYI", "UYU", "UZS",
    "VEF", "VND", "VUV", "WST", "XAF", "XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XCD", "XDR", "XOF", "XPD", "XPF",
    "XPT", "XTS", "XXX", "YER", "ZAR", "ZMK", "ZMW", "BTC", "ETH",
]  # fmt: skip
CompanyStatus = Literal["active", "inactive", "trial", "other"]
EmploymentRoleSubType = Literal["full_time", "part_time", "hourly", "other"]
EmploymentRoleType = Literal["contractor", "employee", "freelance", "temp", "internship", "other"]
EmploymentStatus = Literal["active", "inactive", "terminated", "other"]
Gender = Literal["male", "female", "unisex", "other", "not_specified"]
LeavingReason = Literal["dismissed", "resigned", "redundancy", "other"]
RequestType = Literal["vacation", "sick", "personal", "jury_duty", "volunteer", "bereavement", "other"]
TimeOffRequestStatus = Literal["requested", "approved", "declined", "cancelled", "deleted", "other"]
Units = Literal["days", "hours", "other"]
CompanyId = Annotated[str, Ref("companies.id"), Field(max_length=200)]
DepartmentId = Annotated[str, Ref("departments.id"), Field(max_length=200)]
EmployeeId = Annotated[str, Ref("employees.id"), Field(max_length=200)]
TimeOffRequestId = Annotated[str, Ref("time_off_requests.id"), Field(max_length=200)]
CompanyClearable = Literal["display_name", "currency", "company_number", "subdomain"]
DepartmentClearable = Literal["code", "description"]
EmployeeOrder = Literal["first_name", "last_name", "created_at", "updated_at"]
EmployeeClearable = Literal[
    "title",
    "company_id",
    "department_id",
    "employment_role_sub_type",
    "employment_role_type",
    "employment_status",
    "gender",
    "leaving_reason",
    "birthday",
    "deceased_on",
    "employment_end_date",
    "employment_start_date",
    "first_name",
    "last_name",
    "probation_period_end_date",
    "probation_period_start_date",
    "works_remote",
    "description",
    "tags",
]
TimeOffRequestClearable = Literal[
    "employee_id",
    "status",
    "units",
    "amount",
    "approval_date",
    "end_date",
    "notes_employee",
    "notes_manager",
    "request_date",
    "start_date",
    "description",
]

# ---------------------------------------------------------------- what the tools return


class Address(TypedDict):
    city: NotRequired[Line]
    contact_name: NotRequired[Line]
    country: NotRequired[Line]
    county: NotRequired[Line]
    email: NotRequired[Line]
    fax: NotRequired[Line]
    latitude: NotRequired[Line]
    line1: NotRequired[Line]


class Email(TypedDict):
    email: Line
    type: NotRequired[Literal["primary", "secondary", "work", "personal", "billing", "other"]]


class PhoneNumber(TypedDict):
    area_code: NotRequired[Line]
    country_code: NotRequired[Line]
    extension: NotRequired[Line]
    number: Line
    type: NotRequired[Line]


class Website(TypedDict):
    type: NotRequired[Literal["primary", "secondary", "work", "personal", "other"]]
    url: Line


class Company(TypedDict):
    """A company."""

    id: CompanyId
    display_name: str | None
    legal_name: str
    currency: Currency | None
    status: CompanyStatus | None
    company_number: str | None
    subdomain: str | None
    addresses: list[Address] | None
    emails: list[Email] | None
    phone_numbers: list[PhoneNumber] | None
    websites: list[Website] | None
    created_at: str | None
    updated_at: str | None


class Companies(TypedDict):
    companies: list[Company]
    total: int
    next_cursor: Cursor | None


class Department(TypedDict):
    """A department."""

    id: DepartmentId
    name: str
    code: str | None
    description: str | None
    created_at: str | None
    updated_at: str | None


class Departments(TypedDict):
    departments: list[Department]
    total: int
    next_cursor: Cursor | None


class Employee(TypedDict):
    """An employee."""

    id: EmployeeId
    display_name: str
    title: str | None
    company_id: CompanyId | None
    department_id: DepartmentId | None
    employment_role_sub_type: EmploymentRoleSubType | None
    employment_role_type: EmploymentRoleType | None
    employment_status: EmploymentStatus | None
    gender: Gender | None
    leaving_reason: LeavingReason | None
    birthday: str | None
    deceased_on: str | None
    employment_end_date: str | None
    employment_start_date: str | None
    first_name: str | None
    last_name: str | None
    probation_period_end_date: str | None
    probation_period_start_date: str | None
    works_remote: bool | None
    description: str | None
    emails: list[Email] | None
    phone_numbers: list[PhoneNumber] | None
    tags: list[Line] | None
    created_at: str | None
    updated_at: str | None


class Employees(TypedDict):
    employees: list[Employee]
    total: int
    next_cursor: Cursor | None


class TimeOffRequest(TypedDict):
    """A time off request."""

    id: TimeOffRequestId
    request_type: RequestType
    employee_id: EmployeeId | None
    status: TimeOffRequestStatus | None
    units: Units | None
    amount: float | None
    approval_date: str | None
    end_date: str | None
    notes_employee: str | None
    notes_manager: str | None
    request_date: str | None
    start_date: str | None
    description: str | None
    created_at: str | None
    updated_at: str | None


class TimeOffRequests(TypedDict):
    time_off_requests: list[TimeOffRequest]
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


def refuse_backwards(start: str | None, end: str | None, field: str, rule: str) -> None:
    """Refuse an end before its start; either may be missing."""
    if start is not None and end is not None and end < start:
        message = f"The end, {end}, lies before the start, {start}."
        raise ToolError("invalid", message, field=field, reason=rule)


def refuse_while_used(world: World, key: str | int, field: str, rule: str, queries: dict[str, str]) -> None:
    """Refuse a deletion while other rows refer to the row; each query counts those of one table."""
    for table, query in queries.items():
        count = world.value(query, key=key)
        if count:
            message = f"{key} cannot be deleted: it is still referred to ({count} of {table})."
            raise ToolError("conflict", message, field=field, reason=rule)


# ---------------------------------------------------------------- companies


def read_company(world: World, company_id: str, field: str = "company_id") -> Company:
    """The company with that company_id; refused where there is none."""
    row = world.one("SELECT * FROM companies WHERE id = ?", company_id)
    if row is None:
        raise ToolError("not_found", f"There is no company {company_id}.", field=field)
    return as_company(row)


def as_company(row: dict[str, Any]) -> Company:
    """A stored company as tools return it."""
    converted = {
        "addresses": parsed(row["addresses"]),
        "emails": parsed(row["emails"]),
        "phone_numbers": parsed(row["phone_numbers"]),
        "websites": parsed(row["websites"]),
    }
    return cast(Company, row | converted)


# Plays GET /hris/companies
@env.tool(candidates="SELECT DISTINCT currency FROM companies WHERE currency IS NOT NULL")
def list_companies(
    world: World,
    currency: Currency | None = None,
    status: CompanyStatus | None = None,
    limit: Annotated[int, Field(ge=1, le=20)] = 20,
    cursor: Cursor | None = None,
) -> Companies:
    """List companies, one page at a time; what is not given does not narrow the list.

    Args:
        currency: Only companies with this currency.
        status: Only companies with this status.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM companies
        WHERE (:currency IS NULL OR currency = :currency)
          AND (:status IS NULL OR status = :status)
        ORDER BY id
        """,
        currency=currency,
        status=status,
    )
    return {
        "companies": [as_company(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /hris/companies/{id}
@env.tool(candidates="SELECT id AS company_id FROM companies", refused={"not_found": "SELECT 'NOSUCH' AS company_id"})
def get_company(world: World, company_id: CompanyId) -> Company:
    """Return one company.

    Args:
        company_id: Identifier of the company.
    """
    return read_company(world, company_id)


# Plays POST /hris/companies
@env.tool(writes=["companies"], candidates="SELECT legal_name FROM companies")
def create_company(
    world: World,
    legal_name: Line,
    display_name: Line | None = None,
    currency: Currency | None = None,
    status: CompanyStatus | None = None,
    company_number: Line | None = None,
    subdomain: Line | None = None,
    addresses: list[Address] | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    websites: list[Website] | None = None,
) -> Company:
    """Create a company.

    Args:
        legal_name: Legal name of the company.
        display_name: Display name of the company.
        currency: Indicates the associated currency for an amount of money.
        status: Status of the company.
        company_number: An Company Number, Company ID or Company Code, is a unique number that has been assigned to each
            company.
        subdomain: Subdomain of the company.
        addresses: Addresses of the company.
        emails: Emails of the company.
        phone_numbers: Phone numbers of the company.
        websites: Websites of the company.
    """
    company_id = world.new_code("companies.id")
    world.run(
        """
        INSERT INTO companies (id, display_name, legal_name, currency, status, company_number, subdomain,
            addresses, emails, phone_numbers, websites, created_at, updated_at)
        VALUES (:id, :display_name, :legal_name, :currency, :status, :company_number, :subdomain,
            :addresses, :emails, :phone_numbers, :websites, :created_at, :updated_at)
        """,
        id=company_id,
        display_name=display_name,
        legal_name=legal_name,
        currency=currency,
        status=status,
        company_number=company_number,
        subdomain=subdomain,
        addresses=packed(addresses),
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        websites=packed(websites),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_company(world, company_id)


# Plays PATCH /hris/companies/{id}
@env.tool(
    writes=["companies"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS company_id, display_name FROM companies WHERE display_name IS NOT NULL",
)
def update_company(
    world: World,
    company_id: CompanyId,
    display_name: Line | None = None,
    legal_name: Line | None = None,
    currency: Currency | None = None,
    status: CompanyStatus | None = None,
    company_number: Line | None = None,
    subdomain: Line | None = None,
    addresses: list[Address] | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    websites: list[Website] | None = None,
    clear: CompanyClearable | None = None,
) -> Company:
    """Change the given fields of a company; the others keep their values.

    Args:
        company_id: Identifier of the company.
        display_name: Display name of the company.
        legal_name: Legal name of the company.
        currency: Indicates the associated currency for an amount of money.
        status: Status of the company.
        company_number: An Company Number, Company ID or Company Code, is a unique number that has been assigned to each
            company.
        subdomain: Subdomain of the company.
        addresses: Addresses of the company.
        emails: Emails of the company.
        phone_numbers: Phone numbers of the company.
        websites: Websites of the company.
        clear: A field to empty.
    """
    read_company(world, company_id)
    world.run(
        """
        UPDATE companies
        SET display_name = coalesce(:display_name, display_name),
            legal_name = coalesce(:legal_name, legal_name),
            currency = coalesce(:currency, currency),
            status = coalesce(:status, status),
            company_number = coalesce(:company_number, company_number),
            subdomain = coalesce(:subdomain, subdomain),
            addresses = coalesce(:addresses, addresses),
            emails = coalesce(:emails, emails),
            phone_numbers = coalesce(:phone_numbers, phone_numbers),
            websites = coalesce(:websites, websites),
            updated_at = :now
        WHERE id = :company_id
        """,
        display_name=display_name,
        legal_name=legal_name,
        currency=currency,
        status=status,
        company_number=company_number,
        subdomain=subdomain,
        addresses=packed(addresses),
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        websites=packed(websites),
        now=world.now,
        company_id=company_id,
    )
    if clear is not None:
        world.run(f'UPDATE companies SET "{clear}" = NULL WHERE id = :company_id', company_id=company_id)
    return read_company(world, company_id)


# Plays DELETE /hris/companies/{id}
@env.tool(
    writes=["companies"],
    destructive=True,
    confirm=["company_id"],
    candidates="""
    SELECT id AS company_id
    FROM companies
    WHERE NOT EXISTS (SELECT 1 FROM employees WHERE company_id = companies.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS company_id",
        "keep-used-companies": """
        SELECT id AS company_id
        FROM companies
        WHERE EXISTS (SELECT 1 FROM employees WHERE company_id = companies.id)
        """,
    },
)
def delete_company(world: World, company_id: CompanyId) -> Deleted:
    """Delete a company; refused while employees refer to it.

    Args:
        company_id: Identifier of the company.
    """
    read_company(world, company_id)
    refuse_while_used(
        world,
        company_id,
        "company_id",
        "keep-used-companies",
        {
            "employees": "SELECT count(*) FROM employees WHERE company_id = :key",
        },
    )
    world.run("DELETE FROM companies WHERE id = :company_id", company_id=company_id)
    return {"deleted": company_id}


# ---------------------------------------------------------------- departments


def read_department(world: World, department_id: str, field: str = "department_id") -> Department:
    """The department with that department_id; refused where there is none."""
    row = world.one("SELECT * FROM departments WHERE id = ?", department_id)
    if row is None:
        raise ToolError("not_found", f"There is no department {department_id}.", field=field)
    return as_department(row)


def as_department(row: dict[str, Any]) -> Department:
    """A stored department as tools return it."""
    return cast(Department, row)


# Plays GET /hris/departments
@env.tool(candidates='SELECT 5 AS "limit"')
def list_departments(
    world: World,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> Departments:
    """List departments, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all("SELECT * FROM departments ORDER BY id")
    return {
        "departments": [as_department(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /hris/departments/{id}
@env.tool(
    candidates="SELECT id AS department_id FROM departments",
    refused={"not_found": "SELECT 'NOSUCH' AS department_id"},
)
def get_department(world: World, department_id: DepartmentId) -> Department:
    """Return one department.

    Args:
        department_id: Identifier of the department.
    """
    return read_department(world, department_id)


# Plays POST /hris/departments
@env.tool(writes=["departments"], candidates="SELECT name FROM departments")
def create_department(
    world: World,
    name: Line,
    code: Line | None = None,
    description: Prose | None = None,
) -> Department:
    """Create a department.

    Args:
        name: Department name.
        code: Code.
        description: Description.
    """
    department_id = world.new_code("departments.id")
    world.run(
        """
        INSERT INTO departments (id, name, code, description, created_at, updated_at)
        VALUES (:id, :name, :code, :description, :created_at, :updated_at)
        """,
        id=department_id,
        name=name,
        code=code,
        description=description,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_department(world, department_id)


# Plays PATCH /hris/departments/{id}
@env.tool(
    writes=["departments"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS department_id, name FROM departments",
)
def update_department(
    world: World,
    department_id: DepartmentId,
    name: Line | None = None,
    code: Line | None = None,
    description: Prose | None = None,
    clear: DepartmentClearable | None = None,
) -> Department:
    """Change the given fields of a department; the others keep their values.

    Args:
        department_id: Identifier of the department.
        name: Department name.
        code: Code.
        description: Description.
        clear: A field to empty.
    """
    read_department(world, department_id)
    world.run(
        """
        UPDATE departments
        SET name = coalesce(:name, name),
            code = coalesce(:code, code),
            description = coalesce(:description, description),
            updated_at = :now
        WHERE id = :department_id
        """,
        name=name,
        code=code,
        description=description,
        now=world.now,
        department_id=department_id,
    )
    if clear is not None:
        world.run(f'UPDATE departments SET "{clear}" = NULL WHERE id = :department_id', department_id=department_id)
    return read_department(world, department_id)


# Plays DELETE /hris/departments/{id}
@env.tool(
    writes=["departments"],
    destructive=True,
    confirm=["department_id"],
    candidates="""
    SELECT id AS department_id
    FROM departments
    WHERE NOT EXISTS (SELECT 1 FROM employees WHERE department_id = departments.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS department_id",
        "keep-used-departments": """
        SELECT id AS department_id
        FROM departments
        WHERE EXISTS (SELECT 1 FROM employees WHERE department_id = departments.id)
        """,
    },
)
def delete_department(world: World, department_id: DepartmentId) -> Deleted:
    """Delete a department; refused while employees refer to it.

    Args:
        department_id: Identifier of the department.
    """
    read_department(world, department_id)
    refuse_while_used(
        world,
        department_id,
        "department_id",
        "keep-used-departments",
        {
            "employees": "SELECT count(*) FROM employees WHERE department_id = :key",
        },
    )
    world.run("DELETE FROM departments WHERE id = :department_id", department_id=department_id)
    return {"deleted": department_id}


# ---------------------------------------------------------------- employees


def read_employee(world: World, employee_id: str, field: str = "employee_id") -> Employee:
    """The employee with that employee_id; refused where there is none."""
    row = world.one("SELECT * FROM employees WHERE id = ?", employee_id)
    if row is None:
        raise ToolError("not_found", f"There is no employee {employee_id}.", field=field)
    return as_employee(row)


def as_employee(row: dict[str, Any]) -> Employee:
    """A stored employee as tools return it."""
    converted = {
        "works_remote": flag(row["works_remote"]),
        "emails": parsed(row["emails"]),
        "phone_numbers": parsed(row["phone_numbers"]),
        "tags": parsed(row["tags"]),
    }
    return cast(Employee, row | converted)


# Plays GET /hris/employees
@env.tool(candidates="SELECT DISTINCT company_id FROM employees WHERE company_id IS NOT NULL")
def list_employees(
    world: World,
    company_id: CompanyId | None = None,
    department_id: DepartmentId | None = None,
    employment_status: EmploymentStatus | None = None,
    first_name: Line | None = None,
    last_name: Line | None = None,
    title: Line | None = None,
    employment_role_sub_type: EmploymentRoleSubType | None = None,
    employment_role_type: EmploymentRoleType | None = None,
    sort_by: EmployeeOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=20)] = 20,
    cursor: Cursor | None = None,
) -> Employees:
    """List employees, one page at a time; what is not given does not narrow the list.

    Args:
        company_id: Only employees with this company ID.
        department_id: Only employees with this department ID.
        employment_status: Only employees with this employment status.
        first_name: Only employees with this first name.
        last_name: Only employees with this last name.
        title: Only employees with this title.
        employment_role_sub_type: Only employees with this employment role sub type.
        employment_role_type: Only employees with this employment role type.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM employees
        WHERE (:company_id IS NULL OR company_id = :company_id)
          AND (:department_id IS NULL OR department_id = :department_id)
          AND (:employment_status IS NULL OR employment_status = :employment_status)
          AND (:first_name IS NULL OR first_name = :first_name COLLATE NOCASE)
          AND (:last_name IS NULL OR last_name = :last_name COLLATE NOCASE)
          AND (:title IS NULL OR title = :title COLLATE NOCASE)
          AND (:employment_role_sub_type IS NULL OR employment_role_sub_type = :employment_role_sub_type)
          AND (:employment_role_type IS NULL OR employment_role_type = :employment_role_type)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        company_id=company_id,
        department_id=department_id,
        employment_status=employment_status,
        first_name=first_name,
        last_name=last_name,
        title=title,
        employment_role_sub_type=employment_role_sub_type,
        employment_role_type=employment_role_type,
    )
    return {
        "employees": [as_employee(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /hris/employees/{id}
@env.tool(candidates="SELECT id AS employee_id FROM employees", refused={"not_found": "SELECT 'NOSUCH' AS employee_id"})
def get_employee(world: World, employee_id: EmployeeId) -> Employee:
    """Return one employee.

    Args:
        employee_id: Identifier of the employee.
    """
    return read_employee(world, employee_id)


# Plays POST /hris/employees
@env.tool(writes=["employees"], candidates="SELECT display_name FROM employees")
def create_employee(
    world: World,
    display_name: Line,
    title: Line | None = None,
    company_id: CompanyId | None = None,
    department_id: DepartmentId | None = None,
    employment_role_sub_type: EmploymentRoleSubType | None = None,
    employment_role_type: EmploymentRoleType | None = None,
    employment_status: EmploymentStatus | None = None,
    gender: Gender | None = None,
    leaving_reason: LeavingReason | None = None,
    birthday: Day | None = None,
    deceased_on: Day | None = None,
    employment_end_date: Day | None = None,
    employment_start_date: Day | None = None,
    first_name: Line | None = None,
    last_name: Line | None = None,
    probation_period_end_date: Day | None = None,
    probation_period_start_date: Day | None = None,
    works_remote: bool | None = None,
    description: Prose | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    tags: list[Line] | None = None,
) -> Employee:
    """Create an employee.

    Args:
        display_name: The name used to display the employee, often a combination of their first and last names.
        title: The job title of the person.
        company_id: The unique identifier of the company.
        department_id: Unique identifier of the department ID this employee belongs to.
        employment_role_sub_type: The work schedule of the employee.
        employment_role_type: The type of employment relationship the employee has with the organization.
        employment_status: The employment status of the employee, indicating whether they are currently employed,
            inactive, terminated, or in another status.
        gender: The gender represents the gender identity of a person.
        leaving_reason: The reason because the employment ended.
        birthday: The date of birth of the person.
        deceased_on: The date the person deceased.
        employment_end_date: An End Date is the date that the employee ended working at the company.
        employment_start_date: A Start Date is the date that the employee started working at the company.
        first_name: The first name of the person.
        last_name: The last name of the person.
        probation_period_end_date: The date that the employee ended their probation period at the company.
        probation_period_start_date: The date that the employee started their probation period at the company.
        works_remote: Indicates if the employee works from a remote location.
        description: A description of the object.
        emails: Emails of the employee.
        phone_numbers: Phone numbers of the employee.
        tags: Tags of the employee.
    """
    if company_id is not None:
        read_company(world, company_id)
    if department_id is not None:
        read_department(world, department_id)
    refuse_backwards(employment_start_date, employment_end_date, "employment_end_date", "dates-employees")
    refuse_backwards(
        probation_period_start_date,
        probation_period_end_date,
        "probation_period_end_date",
        "dates-employees",
    )
    employee_id = world.new_code("employees.id")
    world.run(
        """
        INSERT INTO employees (id, display_name, title, company_id, department_id, employment_role_sub_type,
            employment_role_type, employment_status, gender, leaving_reason, birthday, deceased_on,
            employment_end_date, employment_start_date, first_name, last_name, probation_period_end_date,
            probation_period_start_date, works_remote, description, emails, phone_numbers, tags, created_at,
            updated_at)
        VALUES (:id, :display_name, :title, :company_id, :department_id, :employment_role_sub_type,
            :employment_role_type, :employment_status, :gender, :leaving_reason, :birthday, :deceased_on,
            :employment_end_date, :employment_start_date, :first_name, :last_name,
            :probation_period_end_date, :probation_period_start_date, :works_remote, :description, :emails,
            :phone_numbers, :tags, :created_at, :updated_at)
        """,
        id=employee_id,
        display_name=display_name,
        title=title,
        company_id=company_id,
        department_id=department_id,
        employment_role_sub_type=employment_role_sub_type,
        employment_role_type=employment_role_type,
        employment_status=employment_status,
        gender=gender,
        leaving_reason=leaving_reason,
        birthday=birthday,
        deceased_on=deceased_on,
        employment_end_date=employment_end_date,
        employment_start_date=employment_start_date,
        first_name=first_name,
        last_name=last_name,
        probation_period_end_date=probation_period_end_date,
        probation_period_start_date=probation_period_start_date,
        works_remote=works_remote,
        description=description,
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        tags=packed(tags),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_employee(world, employee_id)


# Plays PATCH /hris/employees/{id}
@env.tool(
    writes=["employees"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS employee_id, display_name FROM employees",
)
def update_employee(
    world: World,
    employee_id: EmployeeId,
    display_name: Line | None = None,
    title: Line | None = None,
    company_id: CompanyId | None = None,
    department_id: DepartmentId | None = None,
    employment_role_sub_type: EmploymentRoleSubType | None = None,
    employment_role_type: EmploymentRoleType | None = None,
    employment_status: EmploymentStatus | None = None,
    gender: Gender | None = None,
    leaving_reason: LeavingReason | None = None,
    birthday: Day | None = None,
    deceased_on: Day | None = None,
    employment_end_date: Day | None = None,
    employment_start_date: Day | None = None,
    first_name: Line | None = None,
    last_name: Line | None = None,
    probation_period_end_date: Day | None = None,
    probation_period_start_date: Day | None = None,
    works_remote: bool | None = None,
    description: Prose | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    tags: list[Line] | None = None,
    clear: EmployeeClearable | None = None,
) -> Employee:
    """Change the given fields of an employee; the others keep their values.

    Args:
        employee_id: Identifier of the employee.
        display_name: The name used to display the employee, often a combination of their first and last names.
        title: The job title of the person.
        company_id: The unique identifier of the company.
        department_id: Unique identifier of the department ID this employee belongs to.
        employment_role_sub_type: The work schedule of the employee.
        employment_role_type: The type of employment relationship the employee has with the organization.
        employment_status: The employment status of the employee, indicating whether they are currently employed,
            inactive, terminated, or in another status.
        gender: The gender represents the gender identity of a person.
        leaving_reason: The reason because the employment ended.
        birthday: The date of birth of the person.
        deceased_on: The date the person deceased.
        employment_end_date: An End Date is the date that the employee ended working at the company.
        employment_start_date: A Start Date is the date that the employee started working at the company.
        first_name: The first name of the person.
        last_name: The last name of the person.
        probation_period_end_date: The date that the employee ended their probation period at the company.
        probation_period_start_date: The date that the employee started their probation period at the company.
        works_remote: Indicates if the employee works from a remote location.
        description: A description of the object.
        emails: Emails of the employee.
        phone_numbers: Phone numbers of the employee.
        tags: Tags of the employee.
        clear: A field to empty.
    """
    stored = read_employee(world, employee_id)
    if company_id is not None:
        read_company(world, company_id)
    if department_id is not None:
        read_department(world, department_id)
    refuse_backwards(
        employment_start_date or stored["employment_start_date"],
        employment_end_date or stored["employment_end_date"],
        "employment_end_date",
        "dates-employees",
    )
    refuse_backwards(
        probation_period_start_date or stored["probation_period_start_date"],
        probation_period_end_date or stored["probation_period_end_date"],
        "probation_period_end_date",
        "dates-employees",
    )
    world.run(
        """
        UPDATE employees
        SET display_name = coalesce(:display_name, display_name),
            title = coalesce(:title, title),
            company_id = coalesce(:company_id, company_id),
            department_id = coalesce(:department_id, department_id),
            employment_role_sub_type = coalesce(:employment_role_sub_type, employment_role_sub_type),
            employment_role_type = coalesce(:employment_role_type, employment_role_type),
            employment_status = coalesce(:employment_status, employment_status),
            gender = coalesce(:gender, gender),
            leaving_reason = coalesce(:leaving_reason, leaving_reason),
            birthday = coalesce(:birthday, birthday),
            deceased_on = coalesce(:deceased_on, deceased_on),
            employment_end_date = coalesce(:employment_end_date, employment_end_date),
            employment_start_date = coalesce(:employment_start_date, employment_start_date),
            first_name = coalesce(:first_name, first_name),
            last_name = coalesce(:last_name, last_name),
            probation_period_end_date = coalesce(:probation_period_end_date, probation_period_end_date),
            probation_period_start_date = coalesce(:probation_period_start_date, probation_period_start_date),
            works_remote = coalesce(:works_remote, works_remote),
            description = coalesce(:description, description),
            emails = coalesce(:emails, emails),
            phone_numbers = coalesce(:phone_numbers, phone_numbers),
            tags = coalesce(:tags, tags),
            updated_at = :now
        WHERE id = :employee_id
        """,
        display_name=display_name,
        title=title,
        company_id=company_id,
        department_id=department_id,
        employment_role_sub_type=employment_role_sub_type,
        employment_role_type=employment_role_type,
        employment_status=employment_status,
        gender=gender,
        leaving_reason=leaving_reason,
        birthday=birthday,
        deceased_on=deceased_on,
        employment_end_date=employment_end_date,
        employment_start_date=employment_start_date,
        first_name=first_name,
        last_name=last_name,
        probation_period_end_date=probation_period_end_date,
        probation_period_start_date=probation_period_start_date,
        works_remote=works_remote,
        description=description,
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        tags=packed(tags),
        now=world.now,
        employee_id=employee_id,
    )
    if clear is not None:
        world.run(f'UPDATE employees SET "{clear}" = NULL WHERE id = :employee_id', employee_id=employee_id)
    return read_employee(world, employee_id)


# Plays DELETE /hris/employees/{id}
@env.tool(
    writes=["employees"],
    destructive=True,
    confirm=["employee_id"],
    candidates="""
    SELECT id AS employee_id
    FROM employees
    WHERE NOT EXISTS (SELECT 1 FROM time_off_requests WHERE employee_id = employees.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS employee_id",
        "keep-used-employees": """
        SELECT id AS employee_id
        FROM employees
        WHERE EXISTS (SELECT 1 FROM time_off_requests WHERE employee_id = employees.id)
        """,
    },
)
def delete_employee(world: World, employee_id: EmployeeId) -> Deleted:
    """Delete an employee; refused while time off requests refer to it.

    Args:
        employee_id: Identifier of the employee.
    """
    read_employee(world, employee_id)
    refuse_while_used(
        world,
        employee_id,
        "employee_id",
        "keep-used-employees",
        {
            "time off requests": "SELECT count(*) FROM time_off_requests WHERE employee_id = :key",
        },
    )
    world.run("DELETE FROM employees WHERE id = :employee_id", employee_id=employee_id)
    return {"deleted": employee_id}


# ---------------------------------------------------------------- time off requests


def read_time_off_request(world: World, time_off_request_id: str, field: str = "time_off_request_id") -> TimeOffRequest:
    """The time off request with that time_off_request_id; refused where there is none."""
    row = world.one("SELECT * FROM time_off_requests WHERE id = ?", time_off_request_id)
    if row is None:
        raise ToolError("not_found", f"There is no time off request {time_off_request_id}.", field=field)
    return as_time_off_request(row)


def as_time_off_request(row: dict[str, Any]) -> TimeOffRequest:
    """A stored time off request as tools return it."""
    return cast(TimeOffRequest, row)


# Plays GET /hris/time-off-requests
@env.tool(candidates="SELECT DISTINCT employee_id FROM time_off_requests WHERE employee_id IS NOT NULL")
def list_time_off_requests(
    world: World,
    employee_id: EmployeeId | None = None,
    end_date: Day | None = None,
    start_date: Day | None = None,
    request_type: RequestType | None = None,
    status: TimeOffRequestStatus | None = None,
    units: Units | None = None,
    limit: Annotated[int, Field(ge=1, le=50)] = 20,
    cursor: Cursor | None = None,
) -> TimeOffRequests:
    """List time off requests, one page at a time; what is not given does not narrow the list.

    Args:
        employee_id: Only time off requests with this employee ID.
        end_date: Only time off requests with this end date.
        start_date: Only time off requests with this start date.
        request_type: Only time off requests with this request type.
        status: Only time off requests with this status.
        units: Only time off requests with this units.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM time_off_requests
        WHERE (:employee_id IS NULL OR employee_id = :employee_id)
          AND (:end_date IS NULL OR end_date = :end_date)
          AND (:start_date IS NULL OR start_date = :start_date)
          AND (:request_type IS NULL OR request_type = :request_type)
          AND (:status IS NULL OR status = :status)
          AND (:units IS NULL OR units = :units)
        ORDER BY id
        """,
        employee_id=employee_id,
        end_date=end_date,
        start_date=start_date,
        request_type=request_type,
        status=status,
        units=units,
    )
    return {
        "time_off_requests": [as_time_off_request(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /hris/time-off-requests/{id}
@env.tool(
    candidates="SELECT id AS time_off_request_id FROM time_off_requests",
    refused={"not_found": "SELECT 'NOSUCH' AS time_off_request_id"},
)
def get_time_off_request(world: World, time_off_request_id: TimeOffRequestId) -> TimeOffRequest:
    """Return one time off request.

    Args:
        time_off_request_id: Identifier of the time off request.
    """
    return read_time_off_request(world, time_off_request_id)


# Plays POST /hris/time-off-requests
@env.tool(writes=["time_off_requests"], candidates="SELECT request_type FROM time_off_requests")
def create_time_off_request(
    world: World,
    request_type: RequestType,
    employee_id: EmployeeId | None = None,
    status: TimeOffRequestStatus | None = None,
    units: Units | None = None,
    amount: Number | None = None,
    approval_date: Day | None = None,
    end_date: Day | None = None,
    notes_employee: Line | None = None,
    notes_manager: Line | None = None,
    request_date: Day | None = None,
    start_date: Day | None = None,
    description: Prose | None = None,
) -> TimeOffRequest:
    """Create a time off request.

    Args:
        request_type: The type of request.
        employee_id: ID of the employee.
        status: The status of the time off request.
        units: The unit of time off requested.
        amount: The amount of time off requested.
        approval_date: The date the request was approved.
        end_date: The end date of the time off request.
        notes_employee: Employee note.
        notes_manager: Manager note.
        request_date: The date the request was made.
        start_date: The start date of the time off request.
        description: Description of the time off request.
    """
    if employee_id is not None:
        read_employee(world, employee_id)
    refuse_backwards(start_date, end_date, "end_date", "dates-time-off-requests")
    time_off_request_id = world.new_code("time_off_requests.id")
    world.run(
        """
        INSERT INTO time_off_requests (id, request_type, employee_id, status, units, amount, approval_date,
            end_date, notes_employee, notes_manager, request_date, start_date, description, created_at,
            updated_at)
        VALUES (:id, :request_type, :employee_id, :status, :units, :amount, :approval_date, :end_date,
            :notes_employee, :notes_manager, :request_date, :start_date, :description, :created_at,
            :updated_at)
        """,
        id=time_off_request_id,
        request_type=request_type,
        employee_id=employee_id,
        status=status,
        units=units,
        amount=amount,
        approval_date=approval_date,
        end_date=end_date,
        notes_employee=notes_employee,
        notes_manager=notes_manager,
        request_date=request_date,
        start_date=start_date,
        description=description,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_time_off_request(world, time_off_request_id)


# Plays PATCH /hris/time-off-requests/{id}
@env.tool(
    writes=["time_off_requests"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS time_off_request_id, request_type FROM time_off_requests",
)
def update_time_off_request(
    world: World,
    time_off_request_id: TimeOffRequestId,
    request_type: RequestType | None = None,
    employee_id: EmployeeId | None = None,
    status: TimeOffRequestStatus | None = None,
    units: Units | None = None,
    amount: Number | None = None,
    approval_date: Day | None = None,
    end_date: Day | None = None,
    notes_employee: Line | None = None,
    notes_manager: Line | None = None,
    request_date: Day | None = None,
    start_date: Day | None = None,
    description: Prose | None = None,
    clear: TimeOffRequestClearable | None = None,
) -> TimeOffRequest:
    """Change the given fields of a time off request; the others keep their values.

    Args:
        time_off_request_id: Identifier of the time off request.
        request_type: The type of request.
        employee_id: ID of the employee.
        status: The status of the time off request.
        units: The unit of time off requested.
        amount: The amount of time off requested.
        approval_date: The date the request was approved.
        end_date: The end date of the time off request.
        notes_employee: Employee note.
        notes_manager: Manager note.
        request_date: The date the request was made.
        start_date: The start date of the time off request.
        description: Description of the time off request.
        clear: A field to empty.
    """
    stored = read_time_off_request(world, time_off_request_id)
    if employee_id is not None:
        read_employee(world, employee_id)
    refuse_backwards(
        start_date or stored["start_date"],
        end_date or stored["end_date"],
        "end_date",
        "dates-time-off-requests",
    )
    world.run(
        """
        UPDATE time_off_requests
        SET request_type = coalesce(:request_type, request_type),
            employee_id = coalesce(:employee_id, employee_id),
            status = coalesce(:status, status),
            units = coalesce(:units, units),
            amount = coalesce(:amount, amount),
            approval_date = coalesce(:approval_date, approval_date),
            end_date = coalesce(:end_date, end_date),
            notes_employee = coalesce(:notes_employee, notes_employee),
            notes_manager = coalesce(:notes_manager, notes_manager),
            request_date = coalesce(:request_date, request_date),
            start_date = coalesce(:start_date, start_date),
            description = coalesce(:description, description),
            updated_at = :now
        WHERE id = :time_off_request_id
        """,
        request_type=request_type,
        employee_id=employee_id,
        status=status,
        units=units,
        amount=amount,
        approval_date=approval_date,
        end_date=end_date,
        notes_employee=notes_employee,
        notes_manager=notes_manager,
        request_date=request_date,
        start_date=start_date,
        description=description,
        now=world.now,
        time_off_request_id=time_off_request_id,
    )
    if clear is not None:
        world.run(
            f'UPDATE time_off_requests SET "{clear}" = NULL WHERE id = :time_off_request_id',
            time_off_request_id=time_off_request_id,
        )
    return read_time_off_request(world, time_off_request_id)


# Plays DELETE /hris/time-off-requests/{id}
@env.tool(
    writes=["time_off_requests"],
    destructive=True,
    confirm=["time_off_request_id"],
    candidates="SELECT id AS time_off_request_id FROM time_off_requests",
    refused={"not_found": "SELECT 'NOSUCH' AS time_off_request_id"},
)
def delete_time_off_request(world: World, time_off_request_id: TimeOffRequestId) -> Deleted:
    """Delete a time off request.

    Args:
        time_off_request_id: Identifier of the time off request.
    """
    read_time_off_request(world, time_off_request_id)
    world.run("DELETE FROM time_off_requests WHERE id = :time_off_request_id", time_off_request_id=time_off_request_id)
    return {"deleted": time_off_request_id}


if __name__ == "__main__":
    env.serve()
