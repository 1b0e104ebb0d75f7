"""What is in a wheel, and how large is it?

    python python/bench/wheel.py build/dist-cuda/*.whl

prints a result file. The GPUs that it has code for are listed where cuobjdump is. WARPFOLD_MACHINE and WARPFOLD_COMMIT name
where.
"""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from rows import Row, file_of


def architectures_of(library: pathlib.Path) -> list[str]:
    """Those of its machine code, and those that a driver compiles its PTX for."""
    if not shutil.which("cuobjdump"):
        return []
    listed = subprocess.run(["cuobjdump", "--list-elf", "--list-ptx", str(library)], capture_output=True, text=True).stdout
    return sorted({f"{'PTX ' if kind == 'ptx' else ''}{number}" for number, kind in re.findall(r"sm_(\d+\w?)\.(cubin|ptx)", listed)})


def rows_of(path: pathlib.Path) -> list[Row]:
    with zipfile.ZipFile(path) as wheel, tempfile.TemporaryDirectory() as folder:
        files = wheel.infolist()
        rows = [{"part": path.name, "wheel_bytes": path.stat().st_size, "unpacked_bytes": sum(file.file_size for file in files)}]
        for file in sorted(files, key=lambda one: -one.file_size):
            if ".so" in file.filename:
                row: Row = {"part": file.filename, "wheel_bytes": file.compress_size, "unpacked_bytes": file.file_size}
                architectures = architectures_of(pathlib.Path(wheel.extract(file, folder)))
                rows.append({**row, "architectures": architectures} if architectures else row)
    return rows


def main(path: str) -> None:
    print(json.dumps(file_of(f"python {' '.join(sys.argv)}", rows_of(pathlib.Path(path))), indent=2))


if __name__ == "__main__":
    main(sys.argv[1])
