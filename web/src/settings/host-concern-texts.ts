import { inLanguage } from '../language.ts';

const english = {
  no_address: 'We found no address for {host}. Nothing is delivered until you fix its DNS records.',
  not_checked: 'We couldn’t look up {host} now. We look it up again before each delivery.',
};

const spanish: typeof english = {
  no_address: 'No encontramos ninguna dirección para {host}. No se entregará nada hasta que corrija sus registros DNS.',
  not_checked: 'Ahora no hemos podido consultar {host}. Lo consultaremos de nuevo antes de cada entrega.',
};

export const hostConcernText = inLanguage(english, spanish);
