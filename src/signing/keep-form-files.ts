import type { FormFile } from '../http/receive-form.ts';
import { fieldPrefix, filePrefix, removePrefix } from './form-body.ts';
import type { FormProblem } from './pages/form-summary.ts';
import { keepUpload, type UploadDeps } from './receive-upload.ts';
import { SigningError, type SigningErrorCode } from './signing-error.ts';
import type { Access } from './signing-session.ts';

const explained: readonly SigningErrorCode[] = ['file_type_refused', 'file_too_large', 'too_many_uploads'];

/**
 * Keeps the files of a form that needs no script, and puts their ids into the form as the page's script would. Returns what is
 * wrong with files that were not kept. Throws other errors of `keepUpload`.
 */
export async function keepFormFiles(
  deps: UploadDeps,
  access: Access,
  form: URLSearchParams,
  files: ReadonlyMap<string, FormFile>,
): Promise<(FormProblem & { code: SigningErrorCode })[]> {
  const problems: (FormProblem & { code: SigningErrorCode })[] = [];
  for (const name of [...form.keys()].filter((key) => key.startsWith(removePrefix))) {
    form.set(`${fieldPrefix}${name.slice(removePrefix.length)}`, '');
  }
  for (const [input, file] of files) {
    if (!input.startsWith(filePrefix)) continue;
    const field = input.slice(filePrefix.length);
    try {
      if (file.isCut) throw new SigningError('file_too_large');
      const kept = await keepUpload(deps, access, field, file);
      form.set(`${fieldPrefix}${field}`, kept.id);
    } catch (error) {
      if (!(error instanceof SigningError) || !explained.includes(error.code)) throw error;
      problems.push({ code: error.code, field });
    }
  }
  return problems;
}
