-- Whether the recipients of a company may name someone else who should sign or approve instead.

alter table accounts add column allows_delegation boolean not null default false;
