/** Workers listen here: what owes deliveries, or lets an endpoint go on, notifies it. */
export const deliveriesChannel = 'webhook_deliveries';
