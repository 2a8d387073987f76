/** Builds valid or hostile PDFs for tests. No library is used, because it could repair them. */
export interface PdfPlan {
  pages?: PagePlan[];
  /** A wrong page count for the page tree. */
  count?: number;
  /** More entries of the catalog, such as `/NeedsRendering true`. */
  catalog?: string;
  /** More objects, numbered from 10,000. */
  objects?: Array<string | Buffer>;
  /** Size in bytes of an unused stream. */
  ballast?: number;
}

export interface PagePlan {
  width?: number;
  height?: number;
  /** A line of text at 72 points from the left and the top of the unrotated page. */
  text?: string;
  /** More entries of the page, such as `/Rotate 90`. */
  entries?: string;
  /** A dictionary of its own by default, with the font `F1`. */
  resources?: string;
  /** A content stream instead of the text, with its own dictionary entries. */
  content?: { entries: string; bytes: Buffer };
}

export const firstFreeObject = 10_000;
const ownResources = '<< /Font << /F1 3 0 R >> >>';

export function makePdf(plan: PdfPlan = {}): Buffer {
  const { pages = [{}], objects = [] } = plan;
  const kids = pages.map((_page, index) => `${pageNumber(index)} 0 R`).join(' ');
  const numbered: Array<[number, string | Buffer]> = [
    [1, `<< /Type /Catalog /Pages 2 0 R ${plan.catalog ?? ''} >>`],
    [2, `<< /Type /Pages /Count ${plan.count ?? pages.length} /Kids [${kids}] >>`],
    [3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
    ...pages.flatMap(pageObjects),
    ...objects.map((body, index): [number, string | Buffer] => [firstFreeObject + index, body]),
  ];
  if (plan.ballast !== undefined) numbered.push([9000, stream('', Buffer.alloc(plan.ballast, 0x20))]);
  return assemble(numbered);
}

export function stream(entries: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

function pageNumber(index: number): number {
  return 10 + index * 2;
}

function pageObjects(page: PagePlan, index: number): Array<[number, string | Buffer]> {
  const { width = 612, height = 792, text = `Page ${index + 1}`, entries = '', resources = ownResources } = page;
  const number = pageNumber(index);
  const shown = text.replaceAll(/[\\()]/g, '\\$&');
  const drawing = Buffer.from(`BT /F1 24 Tf 72 ${height - 72} Td (${shown}) Tj ET`, 'latin1');
  return [
    [
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${number + 1} 0 R
       /Resources ${resources} ${entries} >>`,
    ],
    [number + 1, page.content === undefined ? stream('', drawing) : stream(page.content.entries, page.content.bytes)],
  ];
}

function assemble(numbered: Array<[number, string | Buffer]>): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let offset = parts[0]?.length ?? 0;
  const sections: string[] = [];
  for (const [number, body] of numbered) {
    sections.push(`${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
    const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]);
    parts.push(object);
    offset += object.length;
  }
  const size = Math.max(...numbered.map(([number]) => number)) + 1;
  const end = `xref\n0 1\n0000000000 65535 f \n${sections.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${offset}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}
