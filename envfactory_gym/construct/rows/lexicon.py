"""Words for plausible rows: common names, invented companies, places that exist."""

FIRST_NAMES = (
    "Aisha", "Alejandro", "Amara", "Anders", "Anika", "Beatriz", "Camille", "Carlos", "Chen", "Dana", "Diego", "Elena",
    "Emeka", "Erik", "Fatima", "Farah", "Gabriel", "Grace", "Hana", "Hassan", "Helena", "Hugo", "Ines", "Ivan",
    "Jakob", "Jamila", "Javier", "Jonas", "Julia", "Kaito", "Karim", "Keiko", "Lars", "Laila", "Leo", "Lina", "Lucas",
    "Mai", "Marco", "Maria", "Mateo", "Maya", "Mei", "Mina", "Nadia", "Nikhil", "Noah", "Nora", "Olga", "Omar",
    "Priya", "Rafael", "Rania", "Rosa", "Ruth", "Samir", "Sara", "Sofia", "Stefan", "Tariq", "Theo", "Tomas", "Vera",
    "Viktor", "Wei", "Yara", "Yusuf", "Zoe",
)  # fmt: skip
LAST_NAMES = (
    "Adeyemi", "Ahmed", "Almeida", "Andersson", "Bakker", "Baptiste", "Becker", "Bianchi", "Brandt", "Castillo",
    "Chen", "Costa", "Dimitrov", "Dubois", "Eriksen", "Farouk", "Fischer", "Fontaine", "Garcia", "Gupta", "Haddad",
    "Hansen", "Hernandez", "Hoffmann", "Ibrahim", "Ito", "Jansen", "Johansson", "Kaya", "Keller", "Khan", "Kim",
    "Kowalski", "Larsen", "Laurent", "Lindqvist", "Lopez", "Martins", "Mbeki", "Mendes", "Meyer", "Moreau", "Mueller",
    "Nakamura", "Navarro", "Novak", "Nwosu", "Okafor", "Olsen", "Pereira", "Petrov", "Quintero", "Rahman", "Reyes",
    "Rossi", "Sato", "Schneider", "Silva", "Singh", "Suzuki", "Takeda", "Tanaka", "Torres", "Varga", "Vega", "Weber",
    "Wong", "Yilmaz", "Zhang", "Ziegler",
)  # fmt: skip
COMPANY_FIRST = (
    "Alder", "Amber", "Arctic", "Atlas", "Aurora", "Bluewater", "Bridgeport", "Cedar", "Cobalt", "Copper", "Crestline",
    "Delta", "Eastgate", "Elmwood", "Evergreen", "Falcon", "Fjord", "Granite", "Harbour", "Highland", "Ironwood",
    "Juniper", "Keystone", "Lakeside", "Lantern", "Maple", "Meridian", "Northwind", "Oakfield", "Orchard", "Pinnacle",
    "Quarry", "Redstone", "Riverbend", "Sable", "Saffron", "Silverline", "Solstice", "Summit", "Thornbury",
    "Tidewater", "Umbra", "Vantage", "Westbrook", "Willow",
)  # fmt: skip
COMPANY_LAST = (
    "Analytics", "Bakery", "Brewing", "Ceramics", "Consulting", "Design", "Energy", "Engineering", "Farms", "Foods",
    "Freight", "Furniture", "Healthcare", "Hotels", "Instruments", "Insurance", "Labs", "Logistics", "Machinery",
    "Media", "Optics", "Outfitters", "Pharma", "Press", "Robotics", "Security", "Shipping", "Software", "Studios",
    "Supply", "Systems", "Textiles", "Tools", "Travel", "Ventures", "Works",
)  # fmt: skip
PLACES = (
    ("Oslo", "NO", "Europe/Oslo"), ("Lisbon", "PT", "Europe/Lisbon"), ("Vienna", "AT", "Europe/Vienna"),
    ("Zurich", "CH", "Europe/Zurich"), ("Berlin", "DE", "Europe/Berlin"), ("Dublin", "IE", "Europe/Dublin"),
    ("Madrid", "ES", "Europe/Madrid"), ("Warsaw", "PL", "Europe/Warsaw"), ("Nairobi", "KE", "Africa/Nairobi"),
    ("Lagos", "NG", "Africa/Lagos"), ("Tokyo", "JP", "Asia/Tokyo"), ("Singapore", "SG", "Asia/Singapore"),
    ("Chicago", "US", "America/Chicago"), ("Denver", "US", "America/Denver"), ("Toronto", "CA", "America/Toronto"),
    ("Bogota", "CO", "America/Bogota"), ("Sydney", "AU", "Australia/Sydney"), ("Auckland", "NZ", "Pacific/Auckland"),
)  # fmt: skip
STREETS = (
    "Birch", "Canal", "Church", "Garden", "Harbour", "Hill", "Linden", "Market", "Mill", "Park", "Queen", "River",
    "School", "Station", "Victoria",
)  # fmt: skip
ROOMS = (
    "Room 2.14", "Board room", "Library", "Cafe on the ground floor", "Workshop", "Online", "Main hall",
    "Roof terrace",
)  # fmt: skip
INDUSTRIES = (
    "Retail", "Logistics", "Healthcare", "Manufacturing", "Education", "Energy", "Hospitality", "Software",
    "Agriculture",
)  # fmt: skip
DEPARTMENTS = ("Sales", "Marketing", "Finance", "Engineering", "Support", "Operations", "Legal", "Procurement")
JOB_TITLES = (
    "Account Manager", "Buyer", "Chief Engineer", "Head of Sales", "Office Manager", "Operations Lead",
    "Product Manager", "Purchasing Director", "Sales Representative", "Team Lead",
)  # fmt: skip
LEAD_SOURCES = ("Website", "Referral", "Trade fair", "Cold call", "Newsletter", "Partner")
SUBJECTS = (
    "budget review", "contract renewal", "delivery schedule", "kick-off", "onboarding", "pilot project", "price list",
    "product demo", "quarterly report", "security audit", "site visit", "stock count", "supplier meeting",
    "team lunch", "training day", "website relaunch",
)  # fmt: skip
ADJECTIVES = (
    "Alpine", "Amber", "Autumn", "Central", "Coastal", "Crimson", "Eastern", "Express", "Global", "Golden", "Hidden",
    "Inner", "Junior", "Lunar", "Midnight", "Northern", "Outer", "Prime", "Quiet", "Rapid", "Royal", "Rural", "Silent",
    "Silver", "Southern", "Spring", "Standard", "Sunny", "Urban", "Velvet", "Western", "Winter",
)  # fmt: skip
COLOURS = ("#0088aa", "#7bd148", "#5484ed", "#a4bdfc", "#46d6db", "#fbd75b", "#ffb878", "#dc2127", "#dbadff", "#e1e1e1")
TAGS = ("vip", "renewal", "new", "priority", "partner", "trial", "export", "local", "archive", "urgent")
LANGUAGES = ("EN", "DE", "FR", "ES", "PT", "NO", "PL", "JA")
REGIONS = ("eu-north-1", "eu-west-1", "eu-central-1", "us-east-1", "us-west-2", "ap-southeast-2")
CURRENCIES = ("EUR", "USD", "GBP", "CHF", "NOK", "JPY")
PLAIN_STATES = ("open", "active", "on hold", "closed", "new")
PRIORITIES = ("low", "normal", "high", "urgent")
DNS_KINDS = (
    "ALLOW-AXFR-FROM", "ALSO-NOTIFY", "AXFR-SOURCE", "NOTIFY-DNSUPDATE", "SOA-EDIT", "TSIG-ALLOW-AXFR", "IXFR",
    "LUA-AXFR-SCRIPT",
)  # fmt: skip
ALGORITHMS = ("hmac-sha256", "hmac-sha512", "hmac-sha384", "hmac-sha1")
KEY_ALGORITHMS = ("ECDSAP256SHA256", "ECDSAP384SHA384", "ED25519", "RSASHA256")
