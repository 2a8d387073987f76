import { type Html, html } from '../../http/html.ts';
import type { formEnglish } from './texts-form-en.ts';

export const formSpanish: typeof formEnglish = {
  scriptOff: 'JavaScript está desactivado en este navegador.',
  late: 'Los controles de esta página no se han cargado. Puede esperar o continuar sin ellos.',
  without: 'Continuar sin JavaScript',
  withScript: 'Usar la página con JavaScript',
  withScriptHint: 'Con JavaScript también puede dibujar su firma y rellenar los campos sobre las páginas.',
  finishWithout: 'Terminar sin JavaScript',
  problemHeading: 'Hay un problema',
  errorTitle: 'Hay un error:',
  fieldsHeading: 'Campos que usted debe rellenar',
  dateHint: 'Año, mes y día, por ejemplo 2026-03-09. Si lo deja vacío, se pone la fecha de hoy.',
  placeSignature: 'Marque la casilla para colocar aquí su firma.',
  placeInitials: 'Marque la casilla para colocar aquí sus iniciales.',
  initialsHint: 'Para los campos que usted marque. Hasta 10 caracteres.',
  save: 'Guardar para más tarde',
  missing: (field: Html) => html`Rellene: ${field}`,
  untick: (field: Html) => html`Marque: ${field}`,
  invalid: (field: Html) => html`Revise lo que escribió: ${field}`,
  saved: 'Guardado. Puede continuar más tarde con el mismo enlace.',
  linkNeedsScript: 'Para iniciar sesión con ese enlace hace falta JavaScript.',
  pageAsText: (page: number) => `Página ${page} como texto`,
  copyNotReady: 'El PDF sellado se está preparando. Suele tardar unos segundos.',
  reload: 'Volver a cargar la página',
  tooMany: 'Ahora no se puede enviar ninguno más. Inténtelo más tarde.',
  refusedTitle: 'No se pudo leer lo que envió',
  refusedText: 'No se registró nada. Abra de nuevo el formulario y envíelo desde allí.',
  tooLargeTitle: 'Envió demasiado a la vez',
  tooLargeText:
    'No se registró nada. Vuelva con el botón Atrás del navegador, acorte los textos más largos y envíe de nuevo el formulario.',
};
