"""Where the stores of a test are: each in its directory, or each in a stream of a replicated log."""

from pathlib import Path
from zlib import crc32

from lastvalue.server.open_store import StoreSettings
from lastvalue.store.log_address import read_log_address
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.store_options import StoreOptions


class KeptStores:
    """Gives the settings of the store that a directory stands for."""

    log: str | None = None

    @classmethod
    def settings(cls, directory: Path, options: StoreOptions | None = None) -> StoreSettings | LogSettings:
        options = options or StoreOptions()
        if cls.log is None:
            return StoreSettings(directory, options)
        name = f"{cls.log}{crc32(str(directory).encode()):08x}"
        return LogSettings(read_log_address(name), options, lease_ms=1000)
