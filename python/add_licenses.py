"""Adds to a repaired wheel the licenses of the shared libraries that it carries, as Debian keeps them."""

import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile


def package_of(library: str) -> str:
    """The Debian package that has a library, of which auditwheel's name is "libgeos_c-1a2b3c4d.so.1.17.1"."""
    plain = re.sub(r"-[0-9a-f]{8}(?=\.so)", "", library)
    owner = subprocess.run(["dpkg", "-S", f"*/{plain}"], capture_output=True, text=True, check=True).stdout
    return owner.split(":", 1)[0]


def main(path: pathlib.Path) -> None:
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
    libraries = [name.rsplit("/", 1)[1] for name in names if ".libs/" in name and ".so" in name]
    folder = next(name.split("/", 1)[0] for name in names if ".dist-info/" in name)
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([sys.executable, "-m", "wheel", "unpack", str(path), "-d", scratch], check=True)
        (tree,) = (one for one in pathlib.Path(scratch).iterdir() if one.is_dir())
        licenses = tree / folder / "licenses"
        licenses.mkdir(exist_ok=True)
        for package in sorted({package_of(library) for library in libraries}):
            text = pathlib.Path("/usr/share/doc", package, "copyright").read_bytes()
            (licenses / f"{package}.txt").write_bytes(text)
        subprocess.run([sys.executable, "-m", "wheel", "pack", str(tree), "-d", str(path.parent)], check=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
