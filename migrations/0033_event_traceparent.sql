alter table events
  -- W3C trace context of the change that the event reports; null without tracing. Deliveries continue that trace.
  add column traceparent text;
