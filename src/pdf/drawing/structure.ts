import { type PDF, type PDFPage, PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef, PdfString } from '@libpdf/core';
import { createTree, openTree, type StructureTree } from './structure-tree.ts';
import { textString } from './text-string.ts';

/** Parts with content of their own: a heading, a paragraph, the body of a list item, a picture. */
export type ContentRole = 'H1' | 'H2' | 'P' | 'LBody' | 'Figure';
/** Parts that consist of parts. */
export type GroupRole = 'Document' | 'Sect' | 'L' | 'LI';

/** A part of a document, to which content on one or more pages belongs. */
export interface Part {
  readonly role: ContentRole;
}

/**
 * The logical structure of drawn pages (ISO 32000-1, 14.7 and 14.8): what programs for people who can't see read, in this order.
 * The types are standard ones.
 */
export interface Structure {
  /** Adds a part after all others, or returns the one that is open. `alt`: the text that stands for a picture. */
  part(role: ContentRole, alt?: string): Part;
  /** Runs `draw` with a part open: what would be parts of their own belongs to it, such as a name and its value. */
  open(role: ContentRole, draw: () => void): void;
  /** Runs `draw`, whose new parts belong to one group. */
  group(role: GroupRole, draw: () => void): void;
  /** Returns the id of the next marked content of a page, and records that it belongs to `part`. */
  mark(part: Part, page: PDFPage): number;
  /** Writes the structure to the PDF. Call it once, after everything is drawn. */
  finish(): void;
}

interface Node extends Part {
  readonly alt: string | undefined;
  readonly kids: Array<Node | Group | Mark>;
}
interface Group {
  readonly role: GroupRole;
  readonly kids: Array<Node | Group>;
}
interface Mark {
  page: PDFPage;
  id: number;
}

/** Gives a PDF its structure. */
export function createStructure(pdf: PDF): Structure {
  return buildStructure(pdf, createTree(pdf), null);
}

/**
 * Continues the structure of a file for pages that are added to it, in `language`. Marks nothing when the file has no structure
 * that can be continued: structure says that all of a file is marked.
 */
export function continueStructure(pdf: PDF, language: string): Structure {
  const tree = openTree(pdf);
  return tree === null ? noStructure : buildStructure(pdf, tree, language);
}

function buildStructure(pdf: PDF, tree: StructureTree, language: string | null): Structure {
  const root: Group = { role: 'Document', kids: [] };
  /** Which part each marked content of a page belongs to. */
  const marks = new Map<PDFPage, Node[]>();
  let current = root;
  let opened: Node | null = null;
  return {
    part(role, alt) {
      if (opened !== null) return opened;
      const node: Node = { role, alt, kids: [] };
      current.kids.push(node);
      return node;
    },
    open(role, draw) {
      const outer = opened;
      opened = this.part(role) as Node;
      try {
        draw();
      } finally {
        opened = outer;
      }
    },
    group(role, draw) {
      const outer = current;
      current = { role, kids: [] };
      outer.kids.push(current);
      try {
        draw();
      } finally {
        current = outer;
      }
    },
    mark(part, page) {
      const node = part as Node;
      const onPage = marks.get(page) ?? [];
      marks.set(page, onPage);
      node.kids.push({ page, id: onPage.length });
      return onPage.push(node) - 1;
    },
    finish: () => writeStructure(pdf, tree, root, language, marks),
  };
}

/** The structure of pages that have none: nothing is marked. */
export const noStructure: Structure = {
  part: (role) => ({ role }),
  open: (_role, draw) => draw(),
  group: (_role, draw) => draw(),
  mark: () => 0,
  finish() {},
};

function writeStructure(
  pdf: PDF,
  tree: StructureTree,
  root: Group,
  language: string | null,
  marks: ReadonlyMap<PDFPage, Node[]>,
): void {
  const refs = new Map<Node, PdfRef>();
  const top = write(root, tree.ref);
  if (language !== null) (pdf.context.resolve(top) as PdfDict).set('Lang', PdfString.fromString(language));
  const contents = [...marks].map(([page, nodes], index) => {
    page.dict.set('StructParents', PdfNumber.of(tree.firstNumber + index));
    page.dict.set('Tabs', PdfName.of('S'));
    return pdf.register(new PdfArray(nodes.map((node) => refs.get(node) as PdfRef)));
  });
  tree.add(top, contents);

  function write(node: Node | Group, parent: PdfRef): PdfRef {
    const dict = PdfDict.of({ Type: PdfName.of('StructElem'), S: PdfName.of(node.role), P: parent });
    const ref = pdf.register(dict);
    if ('alt' in node) {
      refs.set(node, ref);
      if (node.alt !== undefined) dict.set('Alt', textString(node.alt));
    }
    const kids: ReadonlyArray<Node | Group | Mark> = node.kids;
    const first = kids.find(isMark);
    if (first !== undefined) dict.set('Pg', first.page.ref);
    const written = kids.filter(hasContent).map((kid) => {
      if (!isMark(kid)) return write(kid, ref);
      if (kid.page === first?.page) return PdfNumber.of(kid.id);
      return PdfDict.of({ Type: PdfName.of('MCR'), Pg: kid.page.ref, MCID: PdfNumber.of(kid.id) });
    });
    dict.set('K', new PdfArray(written));
    return ref;
  }
}

function isMark(kid: Node | Group | Mark): kid is Mark {
  return 'page' in kid;
}

function hasContent(kid: Node | Group | Mark): boolean {
  return isMark(kid) || kid.kids.some(hasContent);
}
