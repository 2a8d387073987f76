/**
 * Text fields whose label is exactly one of these words offer what the browser has stored, and a keyboard that fits. Labels are
 * in the document's language. A longer label may be about somebody else, as in `Email of the landlord`.
 */
const guesses: ReadonlyArray<[labels: string, autocomplete: string, inputMode?: string]> = [
  ['email|e-mail|email address|e-mail address|correo|correo electrónico', 'email', 'email'],
  ['phone|phone number|telephone|mobile|mobile number|teléfono|móvil|número de teléfono', 'tel', 'tel'],
  ['company|company name|organization|organisation|empresa|nombre de la empresa', 'organization'],
  ['job title|position|cargo|puesto', 'organization-title'],
  ['first name|given name|nombre de pila', 'given-name'],
  ['last name|family name|surname|apellido|apellidos', 'family-name'],
  ['name|full name|nombre completo|nombre y apellidos', 'name'],
  ['address|street|street address|dirección|domicilio', 'street-address'],
  ['city|town|ciudad|localidad|población', 'address-level2'],
  ['zip|zip code|postal code|postcode|código postal', 'postal-code'],
  ['country|país', 'country-name'],
  ['website|web site|sitio web', 'url', 'url'],
];

const byLabel = new Map(
  guesses.flatMap(([labels, autocomplete, inputMode]) =>
    labels.split('|').map((label) => [label, { autocomplete, inputMode }] as const),
  ),
);

/** Sets which stored values and which keyboard a text field offers, by its label. */
export function guessInput(control: HTMLInputElement, label: string): void {
  const guess = byLabel.get(label.normalize('NFC').trim().replace(/\s*:$/, '').toLowerCase());
  if (guess === undefined) return;
  control.autocomplete = guess.autocomplete as AutoFill;
  if (guess.inputMode !== undefined) control.inputMode = guess.inputMode;
}
