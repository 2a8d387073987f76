import { textLengthMax, writtenValue } from '../../documents/field.ts';
import { type Html, html } from '../../http/html.ts';
import type { Entered } from '../form-body.ts';
import { unitsMax } from '../text-lengths.ts';
import { fixedText, inputMode, type NamedField, numberRule, numberUnitsMax, optionsOf } from './field-controls.ts';
import { spoken } from './shown-marks.ts';
import type { SigningPageView } from './signing-page-view.ts';
import { texts } from './texts.ts';

/** A problem with the control that it is about, and its sentence. */
export interface Told {
  target: string | null;
  words: Html | string;
}

interface TextControl {
  id: string;
  name: string;
  label: string;
  hint: string | null;
  value: string;
  lengthMax: number;
  isRequired: boolean;
  inputMode?: 'decimal' | 'text';
}

/** Renders a labelled text box with its hint and its problem. */
export function textControl(told: readonly Told[], control: TextControl): Html {
  const { id, name, label, hint, value, lengthMax, isRequired } = control;
  return html`<div class="field">
<label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<input id="${id}" name="${name}" type="text"${control.inputMode !== undefined && html` inputmode="${control.inputMode}"`} value="${value}" dir="auto"${isRequired && html` required`} maxlength="${unitsMax(lengthMax)}" autocomplete="${id === 'full-name' ? 'name' : 'off'}" spellcheck="false"${described(told, id, hint !== null)}>
${errorOf(told, id)}</div>
`;
}

/** Renders the control of a field of the file. A signature or initials are placed by ticking a box. */
export function fieldControl(
  view: SigningPageView,
  named: NamedField,
  entered: Entered | undefined,
  told: readonly Told[],
): Html {
  const { field, shortName, number } = named;
  const { file, form } = texts[view.language];
  const id = `field-${number}`;
  const name = `field.${field.id}`;
  const value = (entered ? entered.fields.get(field.id) : field.value) ?? '';
  const label = `${shortName}, ${field.required ? file.required : file.optional}`;
  const isRequired = field.required;
  if (field.isFixed) {
    const shown = { type: field.type, value: fixedText(view.language, field), mark: null };
    return html`<p class="field" id="${id}">${shortName}, ${file.fixed}: <strong>${spoken(shown, view.language)}</strong></p>\n`;
  }
  if (field.type === 'text') {
    return textControl(told, { id, name, label, hint: null, value, lengthMax: textLengthMax, isRequired });
  }
  if (field.type === 'number') {
    const written = entered ? value : writtenValue('number', value, view.language);
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
  const hint = field.type === 'signature' ? form.placeSignature : field.type === 'initials' ? form.placeInitials : null;
  return html`<div class="field tick">
<input id="${id}" name="${name}" type="checkbox" value="true"${value === 'true' && html` checked`}${field.required && html` required`} autocomplete="off"${described(told, id, hint !== null)}>
<label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${errorOf(told, id)}</div>
`;
}

/** Renders the attributes that tie a control to its hint and its problem. */
export function described(told: readonly Told[], id: string, hasHint: boolean): Html | null {
  const isWrong = told.some(({ target }) => target === id);
  const ids = [...(hasHint ? [`${id}-hint`] : []), ...(isWrong ? [`${id}-error`] : [])].join(' ');
  return html`${ids !== '' && html` aria-describedby="${ids}"`}${isWrong && html` aria-invalid="true"`}`;
}

/** Renders the problem of a control, if it has one. */
export function errorOf(told: readonly Told[], id: string): Html | null {
  const found = told.find(({ target }) => target === id);
  return found === undefined ? null : html`<p class="error" id="${id}-error">${found.words}</p>\n`;
}
