"""The framework's application, without what we do not use and what nobody has asked for yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import Litestar, Router
from litestar.events import BaseEventEmitterBackend
from litestar.exceptions import ImproperlyConfiguredException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import OpenAPI
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.routes import ASGIRoute, HTTPRoute
from litestar.types import ControllerRouterHandler, Method

if TYPE_CHECKING:
    from litestar._kwargs import KwargsModel

    Handler = tuple[HTTPRouteHandler, KwargsModel | None]
    """A handler, and how it is given what it asks for; None: it was not worked out yet."""
else:
    Handler = tuple


class Api(Litestar):
    """Litestar, which would read and check every handler before the first request is answered.

    Here it does so with each that is asked for, or when all are described. It takes a quarter of a
    millisecond each, and with `OPTIONS` there are more than a hundred.
    """

    def register(self, value: ControllerRouterHandler) -> None:  # type: ignore[override] # as theirs
        """As Litestar's own, which puts off nothing."""
        for route in Router.register(self, value):
            if isinstance(route, HTTPRoute):
                route.route_handler_map = Handlers(self, route)  # type: ignore[assignment] # none is got out unready
            elif isinstance(route, ASGIRoute):
                route.route_handler.on_registration(self)
            else:
                raise ImproperlyConfiguredException(
                    f"{route.path}: sockets are taken by ASGI handlers"
                )
            for plugin in self.plugins.receive_route:
                plugin.receive_route(route)
        self.asgi_router.construct_routing_trie()

    @property
    def openapi_schema(self) -> OpenAPI:
        """The document of the API, for which every handler is read."""
        for route in self.routes:
            if isinstance(route, HTTPRoute):
                for method in tuple(route.route_handler_map):
                    route.route_handler_map[method]
        return super().openapi_schema

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        """Without those for libraries that we do not use, which would be loaded for them."""
        return [*plugins, MsgspecDIPlugin()]


class Handlers(dict[Method, Handler]):
    """Those of a route, each of which is read and checked when it is first asked for."""

    def __init__(self, app: Litestar, route: HTTPRoute) -> None:
        super().__init__()
        self._app = app
        self._route = route
        for handler in route.route_handlers:
            for method in handler.http_methods:
                if method in self:
                    raise ImproperlyConfiguredException(f"{method} {route.path} has two handlers")
                self[method] = handler, None

    def __getitem__(self, method: Method) -> Handler:
        handler, model = super().__getitem__(method)
        if model is None:
            handler.on_registration(self._app)
            model = handler.create_kwargs_model(self._route.path_parameters)
            self[method] = handler, model
        return handler, model


class NoEvents(BaseEventEmitterBackend):
    """Nobody listens to Litestar's own events; what would carry them takes a while to load."""

    async def __aexit__(self, *_: object) -> None:
        """There is nothing to end."""

    def emit(self, event_id: str, *args: Any, **kwargs: Any) -> None:
        """Who tells of something in this way hears what the framework itself would say."""
        del args, kwargs
        raise ImproperlyConfiguredException(f"nobody listens to {event_id}")
