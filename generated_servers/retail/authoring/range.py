"""What Nordlight Home sells: products in their colours and sizes, with prices and stock, and where it delivers."""

from __future__ import annotations

from typing import NamedTuple

from generated_servers.universe import draw
from generated_servers.universe.clock import Row
from generated_servers.universe.files import universe

ONE_SIZE = ("standard size",)
SIZES = ("small", "medium", "large")
BEDS = ("single", "double", "king-size")


class Product(NamedTuple):
    """A product before its articles are made.

    Attributes:
        name: What it is called; no two are called alike.
        category: Part of the range.
        price: Of the smallest size, in whole dollars.
        colours: It comes in.
        sizes: It comes in; each costs more than the one before.
        return_rule: In which condition it is taken back.
        bulk: Whether a parcel service takes it.
    """

    name: str
    category: str
    price: int
    colours: tuple[str, ...]
    sizes: tuple[str, ...] = ONE_SIZE
    return_rule: str = "any"
    bulk: str = "parcel"


PRODUCTS = (
    Product("Odense floor lamp", "lighting", 129, ("black", "white", "brass")),
    Product("Odense table lamp", "lighting", 64, ("black", "white", "brass")),
    Product("Skagen pendant light", "lighting", 89, ("white", "green", "copper"), SIZES),
    Product("Ribe reading lamp", "lighting", 52, ("black", "white", "red")),
    Product("Fanø lantern", "lighting", 34, ("black", "copper"), SIZES),
    Product("Vejle armchair", "seating", 349, ("grey", "green", "blue"), bulk="bulky"),
    Product("Vejle footstool", "seating", 119, ("grey", "green", "blue")),
    Product("Aarhus dining chair", "seating", 98, ("black", "oak", "white")),
    Product("Kolding bar stool", "seating", 109, ("black", "oak"), ("low", "high")),
    Product("Herning sofa", "seating", 890, ("grey", "blue", "sand"), ("two-seat", "three-seat"), bulk="bulky"),
    Product("Aalborg dining table", "tables", 520, ("oak", "walnut"), SIZES, bulk="bulky"),
    Product("Aalborg bench", "tables", 210, ("oak", "walnut"), SIZES, bulk="bulky"),
    Product("Samsø side table", "tables", 88, ("black", "oak", "white")),
    Product("Samsø coffee table", "tables", 165, ("black", "oak", "white"), ("round", "square")),
    Product("Læsø worktop", "tables", 240, ("oak", "walnut"), SIZES, "final", "bulky"),
    Product("Randers bookcase", "storage", 230, ("oak", "white"), ("narrow", "wide"), bulk="bulky"),
    Product("Randers wall shelf", "storage", 48, ("oak", "white", "black"), SIZES),
    Product("Horsens storage basket", "storage", 26, ("natural", "grey", "black"), SIZES),
    Product("Horsens coat rack", "storage", 72, ("oak", "black")),
    Product("Hobro shoe cabinet", "storage", 138, ("white", "oak"), ("narrow", "wide")),
    Product("Møn wool rug", "rugs", 180, ("grey", "blue", "sand"), SIZES),
    Product("Møn runner", "rugs", 95, ("grey", "blue", "sand")),
    Product("Anholt flat-weave rug", "rugs", 110, ("red", "green", "natural"), SIZES),
    Product("Anholt doormat", "rugs", 24, ("black", "natural")),
    Product("Lolland stair carpet", "rugs", 155, ("grey", "red"), SIZES, "final"),
    Product("Falster duvet", "bedding", 119, ("white",), BEDS, "unopened"),
    Product("Falster pillow", "bedding", 44, ("white", "grey"), ("soft", "firm"), "unopened"),
    Product("Tåsinge duvet cover", "bedding", 58, ("white", "blue", "sand"), BEDS, "unopened"),
    Product("Tåsinge fitted sheet", "bedding", 32, ("white", "blue", "sand"), BEDS, "unopened"),
    Product("Ærø blanket", "bedding", 76, ("grey", "green", "red")),
    Product("Rømø casserole", "kitchen", 92, ("red", "black", "blue"), SIZES),
    Product("Rømø frying pan", "kitchen", 58, ("black", "copper"), SIZES),
    Product("Nyborg dinner set", "kitchen", 84, ("white", "blue", "green")),
    Product("Nyborg teapot", "kitchen", 39, ("white", "blue", "green")),
    Product("Struer knife block", "kitchen", 124, ("oak", "black")),
    Product("Thisted curtain", "decoration", 66, ("white", "grey", "green"), SIZES, "final"),
    Product("Thisted cushion", "decoration", 28, ("grey", "green", "red", "blue")),
    Product("Ringsted vase", "decoration", 42, ("white", "green", "copper"), SIZES),
    Product("Ringsted scented candle", "decoration", 18, ("white", "green", "red"), return_rule="unopened"),
    Product("Sorø wall mirror", "decoration", 145, ("black", "brass", "oak"), ("round", "square")),
)

NEAR = ("Denmark", "Sweden", "Norway", "Germany", "Netherlands")
OVERSEAS = ("United States", "Canada", "Singapore", "Japan", "United Arab Emirates", "Turkey", "Iceland")
NO_EXPRESS = ("Iceland", "Greece", "Portugal", "Hungary", "Turkey")


def products() -> list[Row]:
    """The products, numbered in the order of `PRODUCTS`."""
    kept = ("name", "category", "return_rule", "bulk")
    return [
        {"product_id": f"P{number:03d}", **{key: product._asdict()[key] for key in kept}}
        for number, product in enumerate(PRODUCTS, start=1)
    ]


def articles() -> list[Row]:
    """Each product in each colour and size; some are sold out, and some run low."""
    found = []
    for number, product in enumerate(PRODUCTS, start=1):
        looks = [(colour, size) for colour in product.colours for size in product.sizes]
        for place, (colour, size) in enumerate(looks, start=1):
            key = (product.name, colour, size)
            percent = 100 + 35 * product.sizes.index(size) + draw.number(0, 4, product.name, colour) * 3
            stock = draw.weighted(
                [(0, 14), (draw.number(1, 3, *key), 16), (draw.number(8, 90, *key), 70)], *key, "stock"
            )
            found.append(
                {
                    "article_id": f"P{number:03d}-{place:02d}",
                    "product_id": f"P{number:03d}",
                    "colour": colour,
                    "size": size,
                    "price_cents": product.price * percent + draw.pick((0, 0, 50, 90), *key, "cents"),
                    "stock": stock,
                }
            )
    return found


def countries() -> list[Row]:
    """Every country of the universe; shipping costs more the further it goes."""
    found = []
    for country in sorted({row["country"] for row in universe("cities")}):
        standard = 690 if country in NEAR else 2490 if country in OVERSEAS else 1190
        express = None if country in NO_EXPRESS else standard + (1200 if country not in OVERSEAS else 2400)
        found.append({"country": country, "standard_cents": standard, "express_cents": express})
    return found
