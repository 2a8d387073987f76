import { inLanguage } from '../language.ts';

const english = {
  intro: 'Members work with documents. Admins also manage settings. Owners also manage owners.',
  invite: 'Invite',
  list: 'Members of the company',
  columns: { email: 'E-mail address', role: 'Role', since: 'Since' },
  you: 'you',
  roles: { member: 'Member', admin: 'Admin', owner: 'Owner' },
  roleOf: 'Role of {email}',
  menu: 'More actions for {email}',
  again: 'Send a new invitation',
  remove: 'Remove',
  changeRole: 'Change role',
  inviteTitle: 'Invite member',
  email: 'E-mail address',
  role: 'Role',
  inviteText: 'They get a link by e-mail that signs them in, once, within a day.',
  invited: 'We sent the invitation to {email}.',
  notSent: '{email} is now a member, but we couldn’t send the message. They can request a link on the sign-in page.',
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
    'Los miembros trabajan con documentos. Los administradores también gestionan los ajustes. Los propietarios también gestionan a los propietarios.',
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
  inviteTitle: 'Invitar a un miembro',
  email: 'Correo electrónico',
  role: 'Función',
  inviteText: 'Recibirá por correo un enlace para iniciar sesión una vez, en el plazo de un día.',
  invited: 'Enviamos la invitación a {email}.',
  notSent:
    '{email} ya es miembro, pero no pudimos enviar el mensaje. Puede solicitar un enlace en la página de inicio de sesión.',
  againTitle: '¿Enviar otra invitación?',
  againText: 'Se enviará un enlace nuevo a {email}.',
  removeTitle: '¿Quitar a este miembro?',
  removeText: '{email} pierde el acceso de inmediato. Su trabajo se conserva.',
  roleTitle: 'Cambiar la función',
  roleText: 'La nueva función de {email} se aplica de inmediato.',
  failures: {
    member_exists: 'Esta persona ya es miembro.',
    last_owner: 'Una empresa necesita al menos un propietario. Nombre antes a otro.',
    'invalid_input:email': 'Escriba un correo electrónico válido.',
    forbidden: 'Solo los propietarios pueden añadir, cambiar o quitar propietarios.',
  },
};

export const membersText = inLanguage(english, spanish);
