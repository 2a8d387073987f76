/** The NOTIFY channel of workers. Code that enqueues deliveries or resumes an endpoint notifies it. */
export const deliveriesChannel = 'webhook_deliveries';
