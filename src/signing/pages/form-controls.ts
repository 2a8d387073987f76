import { textLengthMax } from '../../documents/field.ts';
import { formatNumber } from '../../documents/number-value.ts';
import { holdsLines } from '../../documents/text-lines.ts';
import { type Html, html } from '../../http/html.ts';
import { isMarkKind } from '../../mark-kinds.ts';
import { texts } from '../../page-texts/texts.ts';
import { type Entered, radioPrefix, resultPrefix } from '../form-body.ts';
import { unitsMax } from '../text-lengths.ts';
import {
  fixedText,
  inputMode,
  keyboardOf,
  mannerOf,
  type NamedField,
  numberRule,
  numberUnitsMax,
  optionsOf,
  reasonFor,
  textRule,
} from './field-controls.ts';
import { uploadControl } from './form-file-controls.ts';
import { described, errorOf, nameIn, type Told } from './form-parts.ts';
import { langOf } from './language-menu.ts';
import { spoken } from './shown-marks.ts';
import type { SigningPageView } from './signing-page-view.ts';

interface TextControl {
  id: string;
  name: string;
  label: Html | string;
  hint: string | null;
  value: string;
  lengthMax: number;
  isRequired: boolean;
  inputMode?: 'decimal' | 'text' | ReturnType<typeof keyboardOf>;
  /** Whether it takes several lines. */
  hasLines?: boolean;
}

/** Renders a labelled text box with its hint and its problem. */
export function textControl(told: readonly Told[], control: TextControl): Html {
  const { id, name, label, hint, value, lengthMax, isRequired, hasLines = false } = control;
  const common = html`id="${id}" name="${name}" dir="auto"${isRequired && html` required`} maxlength="${unitsMax(lengthMax)}" autocomplete="${id === 'full-name' ? 'name' : 'off'}" spellcheck="false"${described(told, id, hint !== null)}`;
  return html`<div class="field">
<label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${
  hasLines
    ? html`<textarea ${common} rows="4">\n${value}</textarea>`
    : html`<input ${common} type="text"${control.inputMode !== undefined && html` inputmode="${control.inputMode}"`} value="${value}">`
}
${errorOf(told, id)}</div>
`;
}

/** Renders the controls of the fields of the file. Fields with a condition are all there, and say when they count. */
export function fieldControls(
  view: SigningPageView,
  fields: readonly NamedField[],
  entered: Entered | undefined,
  told: readonly Told[],
): Html {
  const isFirst = ({ field: { group } }: NamedField, index: number) =>
    group === null || fields.findIndex(({ field }) => field.group === group) === index;
  return html`${fields.filter(isFirst).map((named) => {
    const { group } = named.field;
    const buttons = fields.filter(({ field }) => group !== null && field.group === group);
    const control =
      group === null ? fieldControl(view, named, entered, told, fields) : radioControls(view, buttons, entered, told);
    const condition = conditionText(view, named, fields);
    return condition === null
      ? control
      : html`<fieldset class="conditional"><legend>${condition}</legend>${control}</fieldset>\n`;
  })}`;
}

function radioControls(
  view: SigningPageView,
  buttons: readonly NamedField[],
  entered: Entered | undefined,
  told: readonly Told[],
): Html | null {
  const [first] = buttons;
  if (first === undefined) return null;
  const { file } = texts[view.language];
  const { required, group } = first.field;
  const errorId = `field-${first.number}`;
  return html`<fieldset class="field"><legend>${nameIn(view, first)}, ${required ? file.required : file.optional}</legend>
${buttons.map(({ field, number, caption }) => {
  const value = entered ? entered.fields.get(field.id) : field.value;
  return html`<div class="tick"><input id="field-${number}" name="${radioPrefix}${group}" type="radio" value="${field.id}"${value === 'true' && html` checked`}${required && html` required`} autocomplete="off"${described(told, errorId, false)}>
<label for="field-${number}"${langOf(view)}>${caption}</label></div>
`;
})}${errorOf(told, errorId)}</fieldset>
`;
}

/** Says when a field counts, or returns null. */
function conditionText(view: SigningPageView, { field }: NamedField, fields: readonly NamedField[]): Html | null {
  const { file, form } = texts[view.language];
  const other = fields.find((one) => one.field.position === field.condition?.position);
  if (field.condition === null || other === undefined) return null;
  const { type } = other.field;
  const isTicked = field.condition.value === 'true';
  const ofCheckbox = isTicked ? file.ticked : file.notTicked;
  const value = type === 'checkbox' ? ofCheckbox : type === 'radio' ? other.caption : field.condition.value;
  return form.onlyIf(html`<bdi>${nameIn(view, other)}</bdi>`, html`<bdi>${value}</bdi>`);
}

/** Renders the control of a field of the file. A signature or initials are placed by ticking a box. */
function fieldControl(
  view: SigningPageView,
  named: NamedField,
  entered: Entered | undefined,
  told: readonly Told[],
  fields: readonly NamedField[],
): Html {
  const { field, number } = named;
  const { file, form } = texts[view.language];
  const id = `field-${number}`;
  const name = `field.${field.id}`;
  const value = (entered ? entered.fields.get(field.id) : field.value) ?? '';
  const label = html`${nameIn(view, named)}, ${field.required ? file.required : file.optional}`;
  const isRequired = field.required;
  if (field.calculation !== null) return resultText(view, named, entered, told, fields);
  if (field.isFixed) {
    const shown = { type: field.type, value: fixedText(view.language, field), mark: null };
    return html`<p class="field" id="${id}">${nameIn(view, named)}, ${file.fixed}: <strong>${spoken(shown, view.language)}</strong></p>\n`;
  }
  if (field.type === 'upload') return uploadControl(view, named, entered, told);
  if (field.type === 'text') {
    const hasLines = holdsLines({ ...field, value });
    const hint = field.textFormat ? textRule(view.language, field) : null;
    const common = { id, name, label, hint, value, lengthMax: textLengthMax, isRequired, hasLines };
    return textControl(told, { ...common, inputMode: keyboardOf(field) });
  }
  if (field.type === 'number') {
    const written = entered ? value : formatNumber(value, texts[view.language].numbers);
    return textControl(told, {
      ...{ id, name, label, hint: numberRule(view.language, field), value: written, isRequired },
      ...{ lengthMax: numberUnitsMax / 2, inputMode: inputMode(field.numberRules) },
    });
  }
  if (field.type === 'dropdown') {
    return html`<div class="field">
<label for="${id}">${label}</label>
<select id="${id}" name="${name}"${isRequired && html` required`} autocomplete="off"${described(told, id, false)}><option value="">${form.nothingChosen}</option>${optionsOf(field, value)}</select>
${errorOf(told, id)}</div>
`;
  }
  if (field.type === 'date') {
    return html`<div class="field">
<label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">${form.dateHint}</p>
<input id="${id}" name="${name}" type="date" value="${value}" autocomplete="off"${described(told, id, true)}>
${errorOf(told, id)}</div>
`;
  }
  const places = { signature: form.placeSignature, initials: form.placeInitials, stamp: form.placeStamp };
  const hint = isMarkKind(field.type) ? places[field.type] : null;
  return html`<div class="field tick">
<input id="${id}" name="${name}" type="checkbox" value="true"${value === 'true' && html` checked`}${field.required && html` required`} autocomplete="off"${described(told, id, hint !== null)}>
<label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${errorOf(told, id)}</div>
`;
}

/** Renders the result of a calculated field. The form carries it along, so that only a result that was shown is signed. */
function resultText(
  view: SigningPageView,
  named: NamedField,
  entered: Entered | undefined,
  told: readonly Told[],
  fields: readonly NamedField[],
): Html {
  const { field, number } = named;
  const id = `field-${number}`;
  const result = (entered ? entered.results.get(field.id) : field.calculation?.result) ?? null;
  const value = result?.value ?? null;
  const shown = value === null ? '\u2013' : formatNumber(value, texts[view.language].numbers);
  const reason = reasonFor(view.language, field, result, fields);
  return html`<div class="field" id="${id}"><p>${nameIn(view, named)}, ${mannerOf(view.language, field)}: <strong>${shown}</strong></p>
${reason && html`<p class="hint">${reason}</p>\n`}${errorOf(told, id)}<input type="hidden" name="${resultPrefix}${field.id}" value="${value ?? ''}">
</div>
`;
}
