"""Outlines as other libraries have them."""

import json
import warnings

import numpy as np
import pytest
import warpfold

SQUARE = [[0, 0], [4, 0], [4, 3], [0, 3]]
RING = [[float(x), float(y)] for x, y in [*SQUARE, SQUARE[0]]]
HOLE = [[1, 1], [1, 2], [2, 2], [2, 1]]


class Geometry:
    """What shapely, geopandas, pyshp and others have in common."""

    def __init__(self, kind, coordinates):
        self.__geo_interface__ = {"type": kind, "coordinates": coordinates}


def tuples(ring):
    return tuple(map(tuple, ring))


@pytest.mark.parametrize(
    "problem",
    [
        Geometry("Polygon", (tuples(RING),)),
        Geometry("Polygon", [np.array(RING)]),
        Geometry("MultiPolygon", [(tuples(RING),)]),
        {"type": "Polygon", "coordinates": [RING]},
        json.loads(json.dumps({"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [RING]}})),
    ],
)
def test_geometries_are_outlines_as_they_are(problem):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = warpfold.triangulate(problem)
        assert found.cost == 5 and found.chords.tolist() == [[1, 3]]
        assert warpfold.verify(problem, found)
        assert "<svg" in found._repr_svg_()


def test_shapely_geometries_are_outlines():
    shapely = pytest.importorskip("shapely")
    polygon = shapely.Polygon(SQUARE)
    assert warpfold.triangulate(polygon).cost == 5
    assert warpfold.triangulate(shapely.MultiPolygon([polygon])).cost == 5
    with pytest.raises(ValueError, match="the polygon has 1 hole"):
        warpfold.triangulate(shapely.Polygon(SQUARE, [HOLE]))


def test_geometries_in_a_list_are_a_batch():
    both = [Geometry("Polygon", [RING]), SQUARE, {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [0, 1]]]}]
    found = warpfold.triangulate(both)
    assert found.costs.tolist() == [5, 5, 0]
    assert warpfold.verify(both, found)


def test_holes_are_seen_and_refused():
    with pytest.raises(ValueError, match=r"^problem: coordinates: the polygon has 1 hole: an outline without holes is accepted"):
        warpfold.triangulate(Geometry("Polygon", [RING, HOLE]))
    with pytest.raises(ValueError, match=r"^problem\[1\]: coordinates: the polygon has 1 hole"):
        warpfold.triangulate([Geometry("Polygon", [RING]), Geometry("Polygon", [RING, HOLE])])


def test_a_list_of_outline_and_hole_is_called_a_batch():
    batch = warpfold.triangulate([SQUARE, HOLE])
    for name in ["cost", "chords", "triangles"]:
        with pytest.raises(AttributeError, match=f"'{name}': a list of outlines is a batch.*with holes is not accepted"):
            getattr(batch, name)
    with pytest.raises(AttributeError, match="'Triangulations' has no attribute 'area'$"):
        batch.area  # noqa: B018
    assert not hasattr(batch, "cost")


def test_no_options_of_the_command_line_are_named():
    with pytest.raises(ValueError, match=r"^problem: coordinates: there are 2 parts: exactly one is accepted$"):
        warpfold.triangulate(Geometry("MultiPolygon", [[RING], [RING]]))
    with pytest.raises(ValueError, match="^problem: 'Point' is no outline: a Polygon or MultiPolygon is accepted"):
        warpfold.triangulate(Geometry("Point", [1, 1]))
    with pytest.raises(ValueError, match="^problem: 'type' is missing"):
        warpfold.triangulate({})
    with pytest.raises(TypeError, match="^problem is no GeoJSON: an object of type object is in it"):
        warpfold.triangulate({"type": object()})


def test_what_is_ignored_is_a_warning():
    solid = [[x, y, 7] for x, y in SQUARE]
    ignored = "is ignored: the outline is that of x and y"
    for problem in [solid, np.array(solid), np.array(solid, float)]:
        with pytest.warns(RuntimeWarning, match=f"^problem: Z {ignored}$"):
            found = warpfold.triangulate(problem)
        assert found.cost == 5 and warpfold.verify(problem, found)
    with pytest.warns(RuntimeWarning, match=f"^problem: Z {ignored}$"):
        assert warpfold.triangulate(np.array([solid, solid])).costs.tolist() == [5, 5]
    with pytest.warns(RuntimeWarning, match=rf"^problem\[0\]: Z {ignored}$"):
        assert warpfold.triangulate([solid, [[0, 0], [1, 0], [0, 1]]]).costs.tolist() == [5, 0]
    with pytest.warns(RuntimeWarning, match="^problem: altitudes are ignored"):
        assert warpfold.triangulate(Geometry("Polygon", [[[*point, 7] for point in RING]])).cost == 5


def test_three_rows_of_three_numbers_are_weights():
    assert warpfold.triangulate(np.ones((3, 3))).cost == 0
    assert warpfold.verify(np.ones((3, 3)), warpfold.triangulate(np.ones((3, 3))))


def test_repeated_vertices_are_dropped_with_a_warning():
    twice = [SQUARE[0], SQUARE[1], SQUARE[1], *SQUARE[2:]]
    with pytest.warns(RuntimeWarning, match="^problem: 1 repeated vertex is dropped: the others are numbered without it$"):
        found = warpfold.triangulate(twice)
    assert found.cost == 5 and found.chords.tolist() == [[1, 3]]
    assert "<svg" in found._repr_svg_() and warpfold.verify(twice, found)
    with pytest.warns(RuntimeWarning, match=r"^problem\[1\]: 2 repeated vertices are dropped"):
        batch = warpfold.triangulate([SQUARE, [*twice, twice[0], twice[0]]])
    assert batch.costs.tolist() == [5, 5]


def test_an_outline_that_touches_itself_is_refused_with_the_place():
    with pytest.raises(ValueError, match=r"^the outline touches itself at \(4, 0\), in vertices 1 and 3"):
        warpfold.triangulate([[0, 0], [4, 0], [4, 4], [4, 0], [0, 4]])
