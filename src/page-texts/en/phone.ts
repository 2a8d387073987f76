/** Texts for drawing on a phone. */
export const phoneEnglish = {
  offer: 'Draw on your phone',
  codeLabel: 'QR code for your phone',
  instructions: 'Scan this code with the camera of your phone and draw there with a finger. The drawing appears here.',
  drawHere: 'Draw here instead',
  heading: { signature: 'Draw your signature', initials: 'Draw your initials' },
  hint: 'Draw with a finger. Turn the phone sideways for more room.',
  send: 'Use this drawing',
  sending: 'Sending your drawing.',
  missing: 'Draw first.',
  unavailable: 'The drawing area could not be loaded. Reload the page.',
  sentTitle: 'Your drawing was sent',
  sentText: 'Continue on the screen where you opened the document. Nothing is signed until you choose Sign there.',
  endedTitle: 'This code has ended',
  endedText: 'Show a new code on the screen where you opened the document, and scan that one.',
};
