import { element, fileTexts, texts } from './elements.ts';
import type { Field } from './fields.ts';
import { loadDocument } from './load-document.ts';
import { type Done, post } from './post.ts';
import type { Progress } from './save-progress.ts';

/** Shows that a file is still being sent. Returns false when none is. */
export type WaitForUpload = () => boolean;

/**
 * Sets up the fields for files. A field opens a dialog. A file that is chosen there is sent at once and kept, until the person
 * signs with it.
 */
export function setUpUploadFields(
  fields: readonly Field[],
  { forget }: Progress,
  onChange: (field: Field) => void,
): WaitForUpload {
  const uploads = fields.filter(({ type }) => type === 'upload');
  if (uploads.length === 0) return () => false;
  const dialog = element<HTMLDialogElement>('upload-dialog');
  const input = element<HTMLInputElement>('field-file');
  const [error, status, remove] = [element('field-file-error'), element('field-file-status'), element('upload-remove')];
  const link = element<HTMLAnchorElement>('field-file-kept');
  let field: Field | null = null;

  const show = (shown: Field) => {
    const { file, fileName = '', caption = '' } = shown.control.dataset;
    shown.control.textContent = file === undefined ? caption : fileName;
    shown.control.classList.toggle('is-done', file !== undefined);
    shown.control.setAttribute('aria-label', file === undefined ? shown.name : `${shown.name}: ${fileName}`);
    if (shown !== field) return;
    remove.hidden = file === undefined;
    link.hidden = file === undefined;
    link.textContent = fileName;
    link.href = `${element('page').dataset.address}/files/${shown.id}`;
  };
  const say = (words: string, problem = '') => {
    status.textContent = words;
    error.textContent = problem;
  };
  const send = async (target: Field, file: File) => {
    say(fileTexts().uploadSending);
    input.disabled = true;
    const sentName = encodeURIComponent(file.name.replace(/\p{Cs}/gu, '\ufffd')); // halves of a character can't be sent
    await forget(target); // a late removal of the earlier file would remove this one
    const answer = await post(`files/${target.id}?name=${sentName}`, file);
    const received =
      answer.kind === 'done' ? answer.file : answer.kind === 'unreachable' && (await findReceived(target));
    input.disabled = false;
    input.value = '';
    if (!received) {
      onChange(target); // an earlier file that was removed stays so
      if (answer.kind !== 'refused') return say('', texts().connectionFailed);
      return say('', answer.code === null ? texts().somethingFailed : texts().refusals[answer.code]);
    }
    const { id, name } = received;
    Object.assign(target.control.dataset, { file: id, fileName: name });
    say(fileTexts().uploadReceived.replace('{name}', () => name));
    show(target);
    onChange(target);
  };

  for (const each of uploads) {
    show(each);
    each.control.addEventListener('click', () => {
      if (input.disabled) return dialog.showModal(); // one file at a time
      field = each;
      element('upload-dialog-heading').textContent = each.control.dataset.shortName ?? '';
      say('');
      show(each);
      dialog.showModal();
      input.focus();
    });
  }
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file && field) void send(field, file);
  });
  remove.addEventListener('click', () => {
    if (field === null) return;
    field.setValue(null);
    show(field);
    onChange(field);
    dialog.close();
  });
  element('upload-close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    if (document.activeElement === document.body) field?.control.focus({ preventScroll: true });
  });
  return () => {
    if (input.disabled) dialog.showModal();
    return input.disabled;
  };
}

/** Asks the server for a file that it received, but whose answer was lost. */
async function findReceived({ control: { id, dataset } }: Field): Promise<Done['file']> {
  const page = await loadDocument(location.href).catch(() => null);
  const { file, fileName = '' } = page?.getElementById(id)?.dataset ?? {};
  if (file === undefined || file === dataset.file || file === dataset.removed) return undefined;
  return { id: file, name: fileName };
}
