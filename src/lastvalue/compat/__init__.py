"""The interfaces of other products, one package each; only what puts the broker together imports them."""
