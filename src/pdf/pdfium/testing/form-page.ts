import { firstFreeObject, makePdf, type PagePlan, stream } from './make-pdf.ts';

/** A field of a form. `rectangle`: left, bottom, right and top on the page. */
export interface WidgetPlan {
  entries: string;
  rectangle?: readonly [number, number, number, number];
  /** Annotation flags. */
  flags?: number;
  /** The state in which a box or radio button is ticked. */
  state?: string;
  isTicked?: boolean;
}

/** Makes a PDF whose pages have the fields of one form. Each field shows a thin frame, as a form that was printed would. */
export function formPages(pages: ReadonlyArray<readonly WidgetPlan[]>, plan: PagePlan = {}): Buffer {
  const widgets = pages.flat();
  const numbers = new Map(widgets.map((widget, index) => [widget, firstFreeObject + index]));
  const refs = (some: readonly WidgetPlan[]) => some.map((widget) => `${numbers.get(widget)} 0 R`).join(' ');
  const frame = firstFreeObject + widgets.length;
  return makePdf({
    pages: pages.map((some) => ({ ...plan, entries: `/Annots [${refs(some)}] ${plan.entries ?? ''}` })),
    catalog: `/AcroForm << /Fields [${refs(widgets)}] /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 3 0 R >> >> >>`,
    objects: [
      ...widgets.map(({ entries, rectangle = [72, 600, 300, 620], flags = 4, state, isTicked = false }) => {
        const states = `/N << /${state} ${frame} 0 R /Off ${frame} 0 R >>`;
        const look = state === undefined ? `/N ${frame} 0 R` : states;
        const shown = state === undefined ? '' : `/AS /${isTicked ? state : 'Off'} ${isTicked ? `/V /${state}` : ''}`;
        const place = `/Rect [${rectangle.join(' ')}] /F ${flags}`;
        return `<< /Type /Annot /Subtype /Widget ${place} /AP << ${look} >> ${shown} ${entries} >>`;
      }),
      stream('/Type /XObject /Subtype /Form /BBox [0 0 100 20]', Buffer.from('0.5 G 0.5 0.5 99 19 re S')),
    ],
  });
}
