"""A small shop's API, written to show every shape the compiler knows; tests change copies of it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import yaml

from envfactory_gym import Package
from envfactory_gym.construct import build
from envfactory_gym.construct.model import Model
from envfactory_gym.construct.openapi.document import Document
from envfactory_gym.construct.openapi.modelling import build_model

_TEXT = """
openapi: 3.0.3
info: {title: Corner Shop API, description: Orders and customers of a corner shop., license: {name: MIT}}
paths:
  /v1/customers:
    get:
      parameters:
        - {name: X-Tenant, in: header, schema: {type: string}}
        - {name: fields, in: query, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer, default: 10, maximum: 50}}
        - {name: cursor, in: query, schema: {type: string}}
        - {name: q, in: query, schema: {type: string}}
        - {name: sort, in: query, schema: {type: string, enum: [name, created_at]}}
      responses: {"200": {description: ok, content: {application/json: {schema:
        {type: object, properties: {data: {type: array, items: {$ref: "#/components/schemas/Customer"}}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Customer"}}}}
      responses:
        "201": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Customer"}}}}
        "409": {description: A customer with this email already exists.}
  /v1/customers/{customerId}:
    get:
      responses: {"200": {description: ok, content: {application/json: {schema:
        {type: object, properties: {status: {type: string}, data: {$ref: "#/components/schemas/Customer"}}}}}}}
    patch:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Customer"}}}}
      responses: {"200": {description: ok}}
    put:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Customer"}}}}
      responses: {"200": {description: ok}}
    delete: {responses: {"204": {description: gone}}}
  /v1/customers/{customerId}/addresses:
    get: {responses: {"200": {description: ok, content: {application/json: {schema:
      {type: array, items: {$ref: "#/components/schemas/Address"}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Address"}}}}
      responses: {"201": {description: ok}}
  /v1/customers/{customerId}/addresses/{addressLabel}:
    get: {responses: {"200": {description: ok, content: {application/json: {schema:
      {$ref: "#/components/schemas/Address"}}}}}}
    delete: {responses: {"204": {description: gone}}}
  /v1/orders:
    get:
      parameters:
        - {name: created_after, in: query, schema: {type: string, format: date-time}}
        - {name: status, in: query, schema: {type: string}}
      responses: {"200": {description: ok, content: {application/json: {schema:
        {type: array, items: {$ref: "#/components/schemas/Order"}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
      responses: {"201": {description: ok}}
  /v1/orders/{id}:
    get: {responses: {"200": {description: ok, content: {application/json: {schema:
      {$ref: "#/components/schemas/Order"}}}}}}
    patch:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
      responses: {"200": {description: ok}}
    delete: {responses: {"204": {description: gone}}}
  /v1/orders/{id}/cancel:
    post: {responses: {"200": {description: ok}}}
  /v1/orders/{id}/frobnicate:
    post: {responses: {"200": {description: ok}}}
  /v1/health:
    get: {responses: {"200": {description: ok}}}
components:
  schemas:
    Base:
      type: object
      properties:
        id: {type: string, readOnly: true, description: Unique identifier.}
        created_at: {type: string, format: date-time, readOnly: true}
        updated_at: {type: string, format: date-time, readOnly: true}
        etag: {type: string}
    Customer:
      allOf:
        - $ref: "#/components/schemas/Base"
        - type: object
          required: [name, email, password]
          properties:
            name: {type: string, minLength: 1, description: Full name of the customer.}
            email: {type: string, format: email}
            password: {type: string, writeOnly: true}
            nickname: {type: string, nullable: true}
            tier: {anyOf: [{type: string, enum: [basic, silver, gold]}, {type: "null"}], description: Loyalty tier.}
            credit: {type: number, minimum: 0, maximum: 100000}
            newsletter: {type: boolean}
            birthday: {type: string, format: date}
            tags: {type: array, items: {type: string}}
            phones: {type: array, items: {type: object, required: [number], properties:
              {number: {type: string}, type: {type: string, enum: [home, work]}}}}
            loyalty_score: {type: integer, readOnly: true}
            mystery_id: {type: string}
            old_name: {type: string, deprecated: true}
            friends: {type: array, items: {type: array, items: {type: string}}}
    Address:
      type: object
      required: [label, city]
      properties:
        label: {type: string, description: Name of the address.}
        city: {type: string}
        location: {type: object, properties: {lat: {type: number}, lng: {type: number}}}
    Order:
      allOf:
        - $ref: "#/components/schemas/Base"
        - type: object
          required: [title, customer_id]
          properties:
            title: {type: string}
            customer_id: {type: string, description: Who ordered.}
            customer_name: {type: string}
            status: {type: string, enum: [open, paid, shipped, completed, cancelled]}
            start_date: {type: string, format: date}
            end_date: {type: string, format: date}
            note: {type: string}
            group: {type: string, description: An SQL word as a name.}
            class: {type: string, description: A Python word as a name.}
"""

SHOP: dict[str, Any] = yaml.safe_load(_TEXT)


def shop() -> dict[str, Any]:
    """A copy of the document that may be changed."""
    return copy.deepcopy(SHOP)


def model_of(raw: dict[str, Any]) -> Model:
    """The resource model of a document."""
    return build_model(Document(raw), "shop")


def built(raw: dict[str, Any], folder: Path) -> Package:
    """A document, written, built and loaded."""
    source = folder / "source.yaml"
    source.write_text(yaml.safe_dump(raw, sort_keys=False), encoding="utf-8")
    build(source, folder / "shop")
    return Package.load(folder / "shop", trusted=True)
