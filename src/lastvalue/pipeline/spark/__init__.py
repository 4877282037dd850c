"""The Spark session: its settings, its Java and its Python workers."""
