import type { Pdfium } from './load-pdfium.ts';

/** PDFium's view of the form of an open document. Scripts of the file never run: this build of PDFium has none. */
export interface FormHandle {
  /** 0 when PDFium can't read the form. */
  form: number;
  /** Call it before the document is closed. */
  close(): void;
}

export function openFormHandle(pdfium: Pdfium, document: number): FormHandle {
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info);
  return {
    form,
    close() {
      if (form !== 0) pdfium.PDFiumExt_ExitFormFillEnvironment(form);
      pdfium.PDFiumExt_CloseFormFillInfo(info);
    },
  };
}
