"""Compiles a recurrence or a grammar that is a struct in C++, once for each text, into a library in the user's cache
folder."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
from typing import NamedTuple

from . import _core

_PACKAGE = pathlib.Path(__file__).parent
_FLAGS = ["-std=c++20", "-O3", "-ffp-contract=off", "-fPIC", "-shared", "-Wl,--no-undefined"]
_BEFORE = """\
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "{header}"
#line 1 "{kind}"
"""
_HAS_MEMBER = """
template <class warpfold_T> constexpr bool warpfold_has_{name} = requires(warpfold_T& made) {{ made.{name}; }};
static_assert(warpfold_has_{name}<{struct}>, "warpfold: {struct} has no member {name}");
"""
_AFTER = """
#line 1 "members"
static {struct} warpfold_struct(const warpfold::python::Given* given) {{
  {struct} made{{}};
{members}
  return made;
}}
"""
_RECURRENCE = """\
extern "C" void warpfold_solve(const warpfold::python::Given* given, std::size_t points, const warpfold::Options& options,
                               std::optional<warpfold::python::IntervalTable>& result) {
  warpfold::python::call_user([&] { result = warpfold::python::fill(warpfold_struct(given), points, options); });
}
extern "C" void warpfold_verify(const warpfold::python::Given* given, std::size_t points, const warpfold::Options& options,
                                const warpfold::python::IntervalTable& table, std::optional<warpfold::Verdict>& result) {
  warpfold::python::call_user([&] { result = warpfold::python::check(warpfold_struct(given), table, points, options); });
}
"""
_GRAMMAR = """\
static std::vector<warpfold::python::MemberNumbers> warpfold_numbers([[maybe_unused]] const {struct}& made) {{
  return {{{numbers}}};
}}
extern "C" void warpfold_solve(const warpfold::python::Given* given, std::size_t points, const warpfold::Options& options,
                               std::unique_ptr<warpfold::python::SolvedGrammar>& result) {{
  warpfold::python::call_user([&] {{
    result = warpfold::python::solve_user_grammar(warpfold_struct(given), points, options, warpfold_numbers);
  }});
}}
"""


class Functions(NamedTuple):
    """The addresses of a library's functions, which compiled.cpp calls."""

    solve: int
    verify: int


@functools.cache
def functions(source: str, struct: str | None, members: tuple[str, ...]) -> Functions:
    """The functions that solve this recurrence and check a table of it."""
    made = _library(_program("recurrence", source, struct, members))
    return Functions(_address(made.warpfold_solve), _address(made.warpfold_verify))


@functools.cache
def grammar(source: str, struct: str | None, members: tuple[str, ...]) -> int:
    """The function that solves this grammar."""
    return _address(_library(_program("grammar", source, struct, members)).warpfold_solve)


def _library(text: str) -> ctypes.CDLL:
    compiler = _compiler()
    core = pathlib.Path(_core.__file__)
    state = core.stat()  # another build of the package may have other types
    version = _version(compiler)
    # GCC would give two structs of one name, of two libraries of a process, the same static variables.
    flags = _FLAGS if "clang" in version else [*_FLAGS, "-fno-gnu-unique"]
    key = repr((text, compiler, version, flags, str(core), state.st_size, state.st_mtime_ns))
    library = _cache_folder() / f"{hashlib.sha256(key.encode()).hexdigest()}.so"
    if not library.exists():
        _compile(text, [*compiler, *flags], core, library)
    try:
        return ctypes.CDLL(str(library))
    except OSError:  # it was cut short
        _compile(text, [*compiler, *flags], core, library)
        return ctypes.CDLL(str(library))


def _address(function: object) -> int:
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)  # type: ignore[arg-type]


def _last_struct(kind: str, source: str) -> str:
    names = re.findall(r"(?<![<,])(?<!, )\b(?:struct|class)\s+([A-Za-z_]\w*)", source)  # and no template's parameter
    if not names:
        raise ValueError(f"source declares no struct: one with the members of warpfold/interval/{kind}_model.hpp is accepted")
    return str(names[-1])


def _program(kind: str, source: str, struct: str | None, members: tuple[str, ...]) -> str:
    struct = struct or _last_struct(kind, source)
    for name in (struct, *members):
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise ValueError(f"{name!r} is no name in C++")
    if not re.search(rf"\b{struct}\b", source):
        raise ValueError(f"struct is {struct!r}: the name of a struct in source is accepted")
    checks = "".join(_HAS_MEMBER.format(name=name, struct=struct) for name in members)
    set_members = "\n".join(f'  warpfold::python::set("{name}", made.{name}, given[{at}]);' for at, name in enumerate(members))
    numbers = ", ".join(f"warpfold::python::numbers_of(made.{name})" for name in members)
    of_grammar = _GRAMMAR.format(struct=struct, numbers=numbers)
    header, functions = ("own_grammar.hpp", of_grammar) if kind == "grammar" else ("own.hpp", _RECURRENCE)
    return (
        _BEFORE.format(header=header, kind=kind) + source + checks + _AFTER.format(struct=struct, members=set_members) + functions
    )


def _compiler() -> list[str]:
    asked = shlex.split(os.environ.get("CXX", ""))
    for words in [asked] if asked else [["g++"], ["clang++"], ["c++"]]:
        if shutil.which(words[0]):
            return words
    name = asked[0] if asked else "g++ or clang++"
    raise ValueError(f"no C++ compiler is found: {name} on the PATH is accepted, or another that CXX names")


def _version(compiler: list[str]) -> str:
    return subprocess.run([*compiler, "--version"], capture_output=True, text=True).stdout


def _cache_folder() -> pathlib.Path:
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(base) / "warpfold"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _compile(text: str, compiler: list[str], core: pathlib.Path, library: pathlib.Path) -> None:
    """Compiles next to the library, then renames, so that the library is complete or absent for all processes."""
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        program, made = pathlib.Path(scratch, "struct.cpp"), pathlib.Path(scratch, "struct.so")
        program.write_text(text)
        folders = [f"-I{_PACKAGE / 'include'}", f"-I{_PACKAGE / 'src'}"]
        words = [*compiler, *folders, str(program), str(core), "-o", str(made)]
        run = subprocess.run(words, capture_output=True, text=True)
        if run.returncode != 0:
            own = re.search(r'error: static.assert.*warpfold: ([^"\n]*)', run.stderr)
            raise ValueError(own[1] if own else f"the struct does not compile:\n{run.stderr.strip()}")
        os.replace(made, library)
