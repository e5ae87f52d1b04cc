alter table clients add column tax_regime text not null default '';

alter table clients add column cfdi_use text not null default '';

alter table clients add column tax_condition text not null default '';

-- Tax ids without separators, in small letters: no row is written again, and all rows are found
create index clients_by_tax_key on clients (
  (replace(replace(replace(replace(replace(replace(replace(lower(tax_id), 'Ñ', 'n'), 'ñ', 'n'), ' ', ''), '-', ''), '.', ''), '–', ''), '/', '')) text_pattern_ops
) where tax_id <> '';
