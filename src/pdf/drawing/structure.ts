import {
  type PDF,
  type PDFPage,
  PdfArray,
  PdfBool,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  type PdfRef,
} from '@libpdf/core';
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

export function createStructure(pdf: PDF): Structure {
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
    finish: () => writeStructure(pdf, root, marks),
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

function writeStructure(pdf: PDF, root: Group, marks: ReadonlyMap<PDFPage, Node[]>): void {
  const refs = new Map<Node, PdfRef>();
  const tree = PdfDict.of({ Type: PdfName.of('StructTreeRoot') });
  const treeRef = pdf.register(tree);
  tree.set('K', write(root, treeRef));
  const numbers: PdfObject[] = [];
  for (const [number, [page, nodes]] of [...marks].entries()) {
    page.dict.set('StructParents', PdfNumber.of(number));
    page.dict.set('Tabs', PdfName.of('S'));
    numbers.push(PdfNumber.of(number), pdf.register(new PdfArray(nodes.map((node) => refs.get(node) as PdfRef))));
  }
  tree.set('ParentTree', pdf.register(PdfDict.of({ Nums: new PdfArray(numbers) })));
  tree.set('ParentTreeNextKey', PdfNumber.of(marks.size));
  const catalog = pdf.context.catalog.getDict();
  catalog.set('StructTreeRoot', treeRef);
  catalog.set('MarkInfo', PdfDict.of({ Marked: PdfBool.of(true) }));

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
