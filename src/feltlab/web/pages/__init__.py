"""The pages, one module each; the routers are included by `web.app`."""
