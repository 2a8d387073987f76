import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { fieldFileBytesMax, uploadFieldsMax } from '../documents/field-file.ts';
import { contentTypeOf, type FormFile, type FormLimits, isMultipart, withForm } from '../http/receive-form.ts';
import { allowUpload } from '../http/request-time.ts';
import { createUploadSlots, NoSlotError } from '../http/upload-slots.ts';
import type { StampPicture } from '../pdf/pictures/make-stamp.ts';
import { PdfWorkerError } from '../pdf/process/pdf-worker-error.ts';
import { parseForm, stampPicture } from './form-body.ts';
import { SigningError } from './signing-error.ts';

/** A form of the page that needs no script, as it was sent. */
export interface SubmittedForm {
  form: URLSearchParams;
  /** The files that were chosen, by the name of their input. They exist while the form is worked on. */
  files: ReadonlyMap<string, FormFile>;
}

export interface FormReaderOptions {
  /** The limit of a form without files. */
  bodyBytesMax: number;
  makeStamp: (path: string) => Promise<StampPicture>;
}

/** The name of the input for a stamp. */
const stampInput = 'stamp';

const limits: Omit<FormLimits, 'formBytesMax' | 'fieldBytesMax'> = {
  files: 1 + uploadFieldsMax,
  fileBytesMax: fieldFileBytesMax,
  cutsFiles: true,
  fields: 1100,
};
const slots = { all: 24, perClient: 4 };
const busySeconds = 2;

export type ReadForm = <Result>(
  request: FastifyRequest,
  mayHaveFiles: boolean,
  work: (submitted: SubmittedForm) => Promise<Result>,
) => Promise<Result>;

/**
 * Creates a function that reads a form and passes it to `work`. Only with `mayHaveFiles` the sender gets the time that files take.
 * A file that is too large is cut and marked. Throws `malformed_request`, `page_unavailable` when there is too much to do, and an
 * error with status 413 for a form that is too large.
 */
export function createFormReader({ bodyBytesMax, makeStamp }: FormReaderOptions): ReadForm {
  const withSlot = createUploadSlots(slots);
  const sizes = { ...limits, formBytesMax: bodyBytesMax, fieldBytesMax: bodyBytesMax };
  return async (request, mayHaveFiles, work) => {
    const { raw } = request;
    const contentType = contentTypeOf(raw);
    if (!isMultipart(contentType))
      return work({ form: parseForm(await readText(raw, bodyBytesMax)), files: new Map() });
    if (mayHaveFiles) allowUpload(raw);
    return asBusy(
      withSlot(request.ip, () =>
        withForm(raw, contentType, sizes, async (received) => {
          if (received.kind === 'too_large' || (received.kind === 'form' && received.isCut)) throw tooLarge();
          if (received.kind !== 'form') throw new SigningError('malformed_request');
          const form = parseForm(new URLSearchParams(received.fields));
          const files = new Map(received.files.map((file) => [file.field, file]));
          // A page that takes no files shows no input for a stamp.
          if (mayHaveFiles) await takeStamp(form, files.get(stampInput), makeStamp);
          return work({ form, files });
        }),
      ),
    );
  };
}

/** Puts the picture of a stamp into the form, instead of an earlier one. A file that can't be one leaves an empty picture. */
async function takeStamp(
  form: URLSearchParams,
  file: FormFile | undefined,
  makeStamp: FormReaderOptions['makeStamp'],
): Promise<void> {
  if (file === undefined) return;
  const made = file.isCut ? null : await makeStamp(file.path);
  form.set(stampPicture, made?.ok ? Buffer.from(made.png).toString('base64') : '');
}

async function asBusy<Result>(working: Promise<Result>): Promise<Result> {
  try {
    return await working;
  } catch (error) {
    const isBusy = error instanceof NoSlotError || (error instanceof PdfWorkerError && error.failure === 'busy');
    if (isBusy) throw new SigningError('page_unavailable', { cause: error, retryAfterSeconds: busySeconds });
    throw error;
  }
}

async function readText(request: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('latin1');
}

function tooLarge(): Error {
  return Object.assign(new Error('the form is too large'), { statusCode: 413 });
}
