import { inLanguage } from '../language.ts';

const english = {
  title: { one: 'Move 1 document', other: 'Move {n} documents' },
  templateTitle: 'Move this template',
  target: 'Move to',
  action: 'Move',
  showsEveryone: 'Show it to everyone in the company',
  showsEveryoneHint: 'Until now, only members of a folder, owners and admins could see it.',
  nowhere: 'There is no other folder that you can move it to.',
  failures: {
    forbidden: 'You can only move documents from and to folders in which you are an editor. Nothing was moved.',
    not_found: 'A document or the folder isn’t there any more. Nothing was moved.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  title: { one: 'Mover 1 documento', other: 'Mover {n} documentos' },
  templateTitle: 'Mover esta plantilla',
  target: 'Mover a',
  action: 'Mover',
  showsEveryone: 'Mostrarlo a toda la empresa',
  showsEveryoneHint:
    'Hasta ahora solo podían verlo los miembros de una carpeta, los propietarios y los administradores.',
  nowhere: 'No hay otra carpeta a la que pueda moverlo.',
  failures: {
    forbidden: 'Solo puede mover documentos entre carpetas de las que es editor. No se movió nada.',
    not_found: 'Un documento o la carpeta ya no está. No se movió nada.',
  },
};

export const moveText = inLanguage(english, spanish);
