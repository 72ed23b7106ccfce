"""A structured report as a knowledge graph: GraphML for other programs, SVG to look at (LUNGUAGE, Figure A.9).

Nodes are entities and the words that describe them; edges are relations, named as in the schema.
"""

from xml.etree import ElementTree

from overread.formats.pieces import LINKS, Link
from overread.formats.writing import filled_template
from overread.systems.lunguage.schema import StructuredReport

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
ROW, TOP = 24, 60
ENTITY_FACTS = ("category", "status", "certainty", "section")
NODE_FACTS = ("label", "kind", *ENTITY_FACTS)


def nodes_and_edges(view: StructuredReport) -> tuple[list[dict[str, str]], list[Link]]:
    """Entities, each with the words that describe it behind it; links between entities last."""
    nodes, edges = [], []
    known = {one.id for one in view.findings}
    for one in view.findings:
        facts = {name: getattr(one, name) for name in ENTITY_FACTS}
        nodes.append({"id": one.id, "label": one.entity, "kind": "entity", **facts})
        for relation, said in one.attributes.items():
            for n, text in enumerate(said, 1):
                nodes.append({"id": f"{one.id}.{relation}.{n}", "label": text, "kind": "value"})
                edges.append(Link(relation, one.id, nodes[-1]["id"]))
    for one in view.findings:
        for link in LINKS:
            edges += [Link(link, one.id, other) for other in getattr(one, link) if other in known]
    return nodes, edges


def graphml(view: StructuredReport) -> bytes:
    """The graph of one report."""
    nodes, edges = nodes_and_edges(view)
    root = ElementTree.Element("graphml", xmlns=NAMESPACE)
    for name, kind in [*((name, "node") for name in NODE_FACTS), ("relation", "edge")]:
        named = {"id": name, "for": kind, "attr.name": name, "attr.type": "string"}
        ElementTree.SubElement(root, "key", named)
    graph = ElementTree.SubElement(root, "graph", id=view.id, edgedefault="directed")
    for one in nodes:
        made = ElementTree.SubElement(graph, "node", id=one["id"])
        for name in NODE_FACTS:
            if one.get(name):
                ElementTree.SubElement(made, "data", key=name).text = one[name]
    for n, edge in enumerate(edges):
        made = ElementTree.SubElement(graph, "edge", id=f"e{n}", source=edge.start, target=edge.end)
        ElementTree.SubElement(made, "data", key="relation").text = edge.label
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def graph_picture(view: StructuredReport) -> str:
    """Entities to the left, what describes them to the right, links between entities as arcs."""
    nodes, edges = nodes_and_edges(view)
    with_values = {edge.start for edge in edges if edge.label not in LINKS}
    places: dict[str, int] = {}
    y = TOP
    for one in nodes:
        if one["kind"] == "entity" and places:
            y += ROW // 2
        places[one["id"]] = y
        y += ROW if one["kind"] == "value" or one["id"] not in with_values else 0
    shown = {"nodes": nodes, "edges": edges, "links": LINKS, "places": places, "height": y + ROW}
    return filled_template("graph.svg", {"title": f"Report {view.id}", **shown})
