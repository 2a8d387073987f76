import type { PageTexts } from '../page-texts.ts';

export const phoneSpanish: PageTexts['phone'] = {
  offer: 'Dibujar en el teléfono',
  codeLabel: 'Código QR para su teléfono',
  instructions: 'Escanee este código con la cámara del teléfono y dibuje allí con un dedo. El dibujo aparecerá aquí.',
  drawHere: 'Dibujar aquí',
  heading: { signature: 'Dibuje su firma', initials: 'Dibuje sus iniciales' },
  hint: 'Dibuje con un dedo. Gire el teléfono si quiere más espacio.',
  send: 'Usar este dibujo',
  sending: 'Se está enviando su dibujo.',
  missing: 'Primero dibuje.',
  unavailable: 'No se pudo cargar el espacio para dibujar. Vuelva a cargar la página.',
  sentTitle: 'Su dibujo se ha enviado',
  sentText: 'Continúe en la pantalla donde abrió el documento. No se firma nada hasta que allí elija Firmar.',
  endedTitle: 'Este código ya no vale',
  endedText: 'Muestre un código nuevo en la pantalla donde abrió el documento y escanéelo.',
};
