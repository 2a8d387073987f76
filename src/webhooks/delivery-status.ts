export const deliveryStatuses = ['pending', 'delivered', 'dead'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];
