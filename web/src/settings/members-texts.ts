import { inLanguage } from '../language.ts';

const english = {
  intro: 'Members work with documents. Admins also manage settings. Owners also manage owners.',
  invite: 'Invite',
  list: 'Members of the company',
  columns: { email: 'E-mail address', role: 'Role', since: 'Since' },
  you: 'you',
  roles: { member: 'Member', admin: 'Admin', owner: 'Owner' },
  roleOf: 'Role of {email}',
  menu: 'More to do with {email}',
  again: 'Send a new invitation',
  remove: 'Remove',
  changeRole: 'Change role',
  inviteTitle: 'Invite member',
  email: 'E-mail address',
  role: 'Role',
  inviteText: 'They get a link by e-mail that signs them in, once, within a day.',
  invited: 'The invitation is on its way to {email}.',
  notSent:
    '{email} is a member now, but the message could not be sent. They can have a link sent to them on the sign-in page.',
  againTitle: 'Send a new invitation?',
  againText: 'A new link goes to {email}.',
  removeTitle: 'Remove this member?',
  removeText: '{email} loses access immediately. Their work stays.',
  roleTitle: 'Change the role',
  roleText: 'The new role of {email} applies immediately.',
  failures: {
    member_exists: 'This person is already a member.',
    last_owner: 'A company needs at least one owner. Make someone else an owner first.',
    'invalid_input:email': 'Enter a valid e-mail address.',
    forbidden: 'Only owners can add, change or remove owners.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  intro:
    'Los miembros trabajan con documentos. Los administradores llevan además los ajustes, y los propietarios deciden quién es propietario.',
  invite: 'Invitar',
  list: 'Miembros de la empresa',
  columns: { email: 'Correo electrónico', role: 'Función', since: 'Desde' },
  you: 'usted',
  roles: { member: 'Miembro', admin: 'Administrador', owner: 'Propietario' },
  roleOf: 'Función de {email}',
  menu: 'Más acciones con {email}',
  again: 'Enviar otra invitación',
  remove: 'Quitar',
  changeRole: 'Cambiar función',
  inviteTitle: 'Invitar a alguien',
  email: 'Correo electrónico',
  role: 'Función',
  inviteText: 'Recibe por correo un enlace que inicia su sesión, una vez, en el plazo de un día.',
  invited: 'La invitación va de camino a {email}.',
  notSent:
    '{email} ya es miembro, pero no se pudo enviar el mensaje. Puede pedir un enlace en la página de inicio de sesión.',
  againTitle: '¿Enviar otra invitación?',
  againText: 'Se envía un enlace nuevo a {email}.',
  removeTitle: '¿Quitar a este miembro?',
  removeText: '{email} queda fuera desde la próxima petición. Lo que hizo se conserva.',
  roleTitle: 'Cambiar la función',
  roleText: '{email} podrá hacer lo que permite la función nueva desde la próxima petición.',
  failures: {
    member_exists: 'Esta persona ya es miembro.',
    last_owner: 'Una empresa necesita un propietario: nombre antes a otro.',
    'invalid_input:email': 'Esto no es una dirección de correo.',
    forbidden: 'Solo los propietarios nombran, cambian y quitan propietarios.',
  },
};

export const membersText = inLanguage(english, spanish);
