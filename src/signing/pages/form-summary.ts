import { type Html, html } from '../../http/html.ts';
import { texts } from '../../page-texts/texts.ts';
import type { Entered } from '../form-body.ts';
import type { SigningErrorCode } from '../signing-error.ts';
import { nameFields, numberRule, reasonFor, textRule } from './field-controls.ts';
import { nameIn, type Told } from './form-parts.ts';
import type { RefusalCode } from './script-contract.ts';
import type { LockedPageView, PageField, SigningPageView } from './signing-page-view.ts';

/** Something wrong with the form: a field of the file by its id, or another control by its element's id. */
export type FormProblem =
  /** `typed`: what was entered, if the control can't show it. */
  { code: SigningErrorCode; field: string; typed?: string } | { code: SigningErrorCode; target: string };

/** What the page shows in addition to the state of the document. */
export interface FormShown {
  /** What was entered to sign. Without it the form has what was saved. */
  entered?: Entered;
  /** What was entered to decline. */
  reason?: string;
  /** What was entered as the code. */
  code?: string;
  problems?: readonly FormProblem[];
  /** Why nothing was recorded. */
  refusal?: SigningErrorCode;
  /** What was done. */
  done?: 'saved' | 'code' | 'link' | null;
  /** The code, in test mode. */
  shownCode?: string;
}

/** Says what is wrong: refusals first, then the fields in the order of the file, then the other controls. */
export function tell(view: SigningPageView | LockedPageView, { problems = [], refusal, entered }: FormShown): Told[] {
  const text = texts[view.language];
  const named = 'document' in view && view.file ? nameFields(view.language, view.file.fields) : [];
  const missing = (field: PageField, name: Html) => {
    const { type, id } = field;
    const reason = reasonFor(view.language, field, entered?.results.get(id) ?? null, named);
    if (reason !== null) return html`${name}: ${reason}`;
    if (type === 'upload') return text.form.attach(name);
    if (type === 'dropdown' || type === 'radio') return text.form.choose(name);
    const isTyped = type === 'text' || type === 'date' || type === 'number';
    return isTyped ? text.form.missing(name) : text.form.untick(name);
  };
  const typedBefore = (typed: string | undefined) =>
    typed !== undefined && ` ${text.file.script.typed.replace('{value}', () => typed)}`;
  const invalid = (field: PageField, name: Html, typed: string | undefined) => {
    if (field.calculation !== null) return text.form.checkResult(name);
    if (field.textFormat) return html`${name}: ${textRule(view.language, field)}`;
    return field.type === 'number'
      ? html`${name}: ${numberRule(view.language, field)}${typedBefore(typed)}`
      : text.form.invalid(name);
  };
  const ofFields = named.flatMap((one, index): Told[] => {
    const { field, number } = one;
    const { group } = field;
    if (group !== null && named.findIndex((other) => other.field.group === group) < index) return [];
    const problem = problems.find((each) => 'field' in each && each.field === field.id);
    if (problem === undefined) return [];
    const name = html`<bdi>${nameIn(view as SigningPageView, one)}</bdi>`;
    const typed = 'typed' in problem ? problem.typed : undefined;
    const { code } = problem;
    const refused = code === 'fields_missing' || code === 'invalid_field' ? null : refusalText(view, code);
    const words =
      refused !== null
        ? html`${name}: ${refused}`
        : code === 'fields_missing'
          ? missing(field, name)
          : invalid(field, name, typed);
    return [{ target: `field-${number}`, words }];
  });
  const others = problems.flatMap((problem): Told[] => {
    if ('field' in problem) return [];
    return [{ target: problem.target, words: markProblem(view, problem) ?? refusalText(view, problem.code) }];
  });
  const refused: Told[] = refusal
    ? [{ target: refusal === 'invalid_code' ? 'code' : null, words: refusalText(view, refusal) }]
    : [];
  return [...refused, ...ofFields, ...others];
}

/** Says what is wrong with the initials or the stamp. Null for other controls. */
function markProblem({ language }: Pick<LockedPageView, 'language'>, problem: { code: string; target: string }) {
  const { file, form } = texts[language];
  if (problem.target === 'initials') return file.script.initialsMissing;
  if (problem.target !== 'stamp') return null;
  return problem.code === 'fields_missing' ? file.script.stampMissing : form.stampInvalid;
}

function refusalText({ language }: Pick<LockedPageView, 'language'>, code: SigningErrorCode): string {
  const { form, script } = texts[language];
  if (code === 'too_many_codes' || code === 'too_many_links') return form.tooMany;
  return script.refusals[code as RefusalCode] ?? script.somethingFailed;
}

/** Lists what is wrong, with links to the controls. The browser moves the focus there. */
export function summary(view: LockedPageView | SigningPageView, told: readonly Told[]): Html {
  const { form } = texts[view.language];
  return html`<section class="problem form-summary" role="alert" aria-labelledby="summary-heading">
<h2 id="summary-heading">${form.problemHeading}</h2>
<ul>${told.map(({ target, words }) => html`<li>${target === null ? words : html`<a href="#${target}">${words}</a>`}</li>`)}</ul>
</section>
`;
}
