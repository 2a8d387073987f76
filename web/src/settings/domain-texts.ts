import { inLanguage } from '../language.ts';

const english = {
  intro:
    'Recipients open your documents on a host name of your company, such as documents.acme.example. Links in e-mails and SMS lead there. The console stays where it is.',
  unavailable: 'This service has no public address yet. Ask its operator to set PUBLIC_URL first.',
  host: 'Host name',
  hostHint: 'A name that nothing else uses. Your own website keeps its name.',
  add: 'Add domain',
  states: { waiting: 'Waiting for DNS', active: 'Active', broken: 'Broken' },
  explained: {
    waiting: 'Links lead to {service} until both records are there. We check every minute at first.',
    active: 'Links in new e-mails and SMS lead to {url}.',
    failing: 'A record has been missing since {when}. After an hour, links lead to {service} until it is back.',
    broken: 'Links lead to {service}, because a record is missing. They lead here again once it is back.',
    operator: 'The operator of this service made this domain active. We don’t check its records.',
  },
  problems: {
    record_missing: 'The TXT record isn’t there. New records can take some hours.',
    elsewhere: 'The TXT record is right, but the name doesn’t lead to this service yet.',
    unavailable: 'The name servers of your domain don’t answer.',
    taken:
      'Another company on this service uses this name. It is free once they remove it, or some time after their TXT record is gone. If the name is yours, contact the operator of this service.',
  },
  records: 'DNS records',
  recordsHint: 'Make both records where your domain is managed, and keep them.',
  aliasHint: 'For a name without a subdomain, use ALIAS or ANAME in place of CNAME.',
  record: '{type} record',
  name: 'Name',
  value: 'Value',
  checkedAt: 'Last checked: {when}',
  check: 'Check now',
  checked: 'Checked.',
  remove: 'Remove domain',
  removeTitle: 'Remove {host}?',
  removeText:
    'Links in new messages lead to {service}. Links that were already sent to this name work as long as its DNS record is there. Another company can then use the name.',
  failures: {
    invalid_host: 'Enter a full host name such as documents.acme.example, without https:// and without a path.',
    host_too_short: 'Enter a name of your company, such as documents.acme.example.',
    host_of_service: 'This name belongs to the service. Enter one of your company.',
    other_host: 'Your company has another domain already. Remove it first.',
    custom_domain_unavailable: 'This service has no public address yet. Ask its operator to set PUBLIC_URL first.',
    not_found: 'Someone removed the domain. Load the page again.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  intro:
    'Los destinatarios abren sus documentos en un nombre de su empresa, por ejemplo documents.acme.example. Los enlaces de correos y SMS llevan ahí. La consola sigue donde está.',
  unavailable: 'Este servicio aún no tiene una dirección pública. Pida a su operador que defina PUBLIC_URL.',
  host: 'Nombre de servidor',
  hostHint: 'Un nombre que nada más use. Su sitio web conserva el suyo.',
  add: 'Añadir dominio',
  states: { waiting: 'Esperando el DNS', active: 'Activo', broken: 'Con fallo' },
  explained: {
    waiting: 'Los enlaces llevan a {service} hasta que estén los dos registros. Al principio comprobamos cada minuto.',
    active: 'Los enlaces de los nuevos correos y SMS llevan a {url}.',
    failing: 'Falta un registro desde {when}. Tras una hora, los enlaces llevarán a {service} hasta que vuelva.',
    broken: 'Los enlaces llevan a {service} porque falta un registro. Volverán a llevar aquí cuando esté.',
    operator: 'El operador de este servicio activó este dominio. No comprobamos sus registros.',
  },
  problems: {
    record_missing: 'El registro TXT no está. Los registros nuevos pueden tardar unas horas.',
    elsewhere: 'El registro TXT es correcto, pero el nombre aún no lleva a este servicio.',
    unavailable: 'Los servidores de nombres de su dominio no responden.',
    taken:
      'Otra empresa de este servicio usa este nombre. Quedará libre cuando lo quite, o un tiempo después de que falte su registro TXT. Si el nombre es suyo, avise al operador de este servicio.',
  },
  records: 'Registros DNS',
  recordsHint: 'Cree los dos registros donde gestiona su dominio y consérvelos.',
  aliasHint: 'Para un nombre sin subdominio, use ALIAS o ANAME en lugar de CNAME.',
  record: 'Registro {type}',
  name: 'Nombre',
  value: 'Valor',
  checkedAt: 'Última comprobación: {when}',
  check: 'Comprobar ahora',
  checked: 'Comprobado.',
  remove: 'Quitar dominio',
  removeTitle: '¿Quitar {host}?',
  removeText:
    'Los enlaces de nuevos mensajes llevarán a {service}. Los enlaces ya enviados a este nombre funcionan mientras exista su registro DNS. Después, otra empresa puede usar el nombre.',
  failures: {
    invalid_host: 'Escriba un nombre completo como documents.acme.example, sin https:// y sin ruta.',
    host_too_short: 'Escriba un nombre de su empresa, por ejemplo documents.acme.example.',
    host_of_service: 'Este nombre es del servicio. Escriba uno de su empresa.',
    other_host: 'Su empresa ya tiene otro dominio. Quítelo antes.',
    custom_domain_unavailable:
      'Este servicio aún no tiene una dirección pública. Pida a su operador que defina PUBLIC_URL.',
    not_found: 'Alguien quitó el dominio. Cargue la página de nuevo.',
  },
};

export const domainText = inLanguage(english, spanish);
