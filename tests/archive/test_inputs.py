"""The files that the names on a command line stand for."""

from __future__ import annotations

from pathlib import Path

from renderer.archive.inputs import find_inputs


def _names(*names: Path, site: Path) -> list[str]:
    return [Path(item.path).name for item in find_inputs([str(name) for name in names], site).inputs]


def test_a_folder_is_searched_to_its_bottom_in_the_order_of_paths(tmp_path: Path) -> None:
    """All files of a folder and of the folders in it are inputs, sorted by path."""
    for name in ("b.jsonl", "a/z.jsonl", "a/deep/er/x.json", "c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert _names(tmp_path, site=tmp_path / "site") == ["x.json", "z.jsonl", "b.jsonl", "c.txt"]


def test_what_is_hidden_or_leads_elsewhere_is_passed_over(tmp_path: Path) -> None:
    """Hidden files and folders, symbolic links and the site itself are no inputs."""
    outside, folder = tmp_path / "outside", tmp_path / "in"
    for path in (outside / "secret.jsonl", folder / ".hidden.jsonl", folder / ".git/x.jsonl", folder / "site/p.html"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (folder / "a.jsonl").write_text("x")
    (folder / "link.jsonl").symlink_to(outside / "secret.jsonl")
    (folder / "linked").symlink_to(outside)
    assert _names(folder, site=folder / "site") == ["a.jsonl"]


def test_a_file_that_is_found_twice_is_one_input(tmp_path: Path) -> None:
    """A file that is named, and found in a folder too, is one input that was named."""
    (tmp_path / "a.jsonl").write_text("x")
    found = find_inputs([str(tmp_path), str(tmp_path / "a.jsonl"), str(tmp_path)], tmp_path / "site").inputs
    assert [(item.named, item.size) for item in found] == [(True, 1)]


def test_a_name_without_a_file_is_an_error_and_costs_nothing_else(tmp_path: Path) -> None:
    """Of a missing name there is one error in a line; the other inputs are found."""
    (tmp_path / "a.jsonl").write_text("x")
    found = find_inputs([str(tmp_path / "missing"), str(tmp_path / "a.jsonl")], tmp_path / "site")
    assert [str(error) for error in found.errors] == [f"{tmp_path / 'missing'}: no such file; check the path"]
    assert len(found.inputs) == 1
