"""The page that lists what the API answers, made from its OpenAPI document, with no scripts."""

from __future__ import annotations

import asyncio
from html import escape
from typing import Any

from litestar import Request, Router
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, OpenAPIRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

import parlour

PATH = "/api/docs"

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
       background: #fff6e5; color: #161a2b }
code, b { font-family: ui-monospace, monospace }
details { background: #fff; border-radius: 14px; margin: .5rem 0; padding: .5rem 1rem }
summary { cursor: pointer } td, th { text-align: left; padding-right: 1.5rem; vertical-align: top }
"""


class ReferencePage(OpenAPIRenderPlugin):
    """Every operation with its parameters, body and answers."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """The page; the document itself stands beside it."""
        del request
        operations = "".join(
            _operation(path, method, operation)
            for path, methods in openapi_schema.get("paths", {}).items()
            for method, operation in methods.items()
            if method in {"get", "post", "put", "patch", "delete"}
        )
        schemas = "".join(
            f"<details id='{escape(name)}'><summary><code>{escape(name)}</code></summary>"
            f"<p>{escape(schema.get('description', ''))}</p>{_properties(schema)}</details>"
            for name, schema in openapi_schema.get("components", {}).get("schemas", {}).items()
        )
        return (
            f"<!doctype html><html lang=en><meta charset=utf-8>"
            f"<meta name=viewport content='width=device-width'><title>Parlour: the API</title>"
            f"<link rel=icon href=data:,>"
            f"<style>{_STYLE}</style><h1>Parlour: the API</h1>"
            f"<p>Version {parlour.__version__}. As a document: "
            f"<a href='{PATH}/openapi.json'>openapi.json</a>.</p>"
            f"{operations}<h2>What is sent and answered</h2>{schemas}</html>"
        ).encode()


def openapi() -> OpenAPIConfig:
    """How the API describes itself."""
    bearer = SecurityScheme(type="http", scheme="bearer", bearer_format="JWT")
    return OpenAPIConfig(
        title="Parlour",
        version=parlour.__version__,
        openapi_router=Router(
            PATH, route_handlers=[], guards=[_worked_out], include_in_schema=False
        ),
        render_plugins=[ReferencePage(path="/"), JsonRenderPlugin()],
        components=Components(security_schemes={"bearer": bearer}),
    )


async def _worked_out(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """The document is made beside the event loop, which it would hold up for long."""
    await asyncio.to_thread(lambda: connection.app.openapi_schema)


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    rows = [
        _row(f"{each['name']} ({each['in']})", _type(each.get("schema", {})))
        for each in operation.get("parameters", [])
    ]
    rows += [
        _row("body", _type(content.get("schema", {})))
        for content in operation.get("requestBody", {}).get("content", {}).values()
    ]
    for status, answer in operation.get("responses", {}).items():
        types = [_type(content.get("schema", {})) for content in answer.get("content", {}).values()]
        rows.append(_row(status, ", ".join(types)))
    lock = " <small>needs a token</small>" if operation.get("security") else ""
    return (
        f"<details><summary><b>{method.upper()}</b> <code>{escape(path)}</code>{lock}</summary>"
        f"<p>{escape(operation.get('description', ''))}</p><table>{''.join(rows)}</table></details>"
    )


def _properties(schema: dict[str, Any]) -> str:
    rows = [_row(name, _type(kind)) for name, kind in schema.get("properties", {}).items()]
    return f"<table>{''.join(rows)}</table>"


def _row(name: str, kind: str) -> str:
    return f"<tr><th><code>{escape(name)}</code><td>{kind}"


def _type(schema: dict[str, Any]) -> str:
    """A schema in a few words, with links to the named ones."""
    if reference := schema.get("$ref"):
        name = escape(reference.rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>"
    if any_of := schema.get("oneOf") or schema.get("anyOf"):
        return " or ".join(map(_type, any_of))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if values := schema.get("enum"):
        return escape(", ".join(map(str, values)))
    kind = schema.get("type", "anything")
    return escape(" or ".join(kind) if isinstance(kind, list) else str(kind))
