"""The HTTP gateway as a whole: the routes of `http` and of `compat` in one application, and its server."""
