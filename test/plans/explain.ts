import Database from 'better-sqlite3';
import pg from 'pg';
import type { Statement } from './statements.ts';

/** Query plans of both engines, converted to steps of one form. */

/** A table that a plan reads, and how. */
export type Step = {
  table: string;
  /** The index; null if the table itself is read. */
  index: string | null;
  /** The columns that are compared with `=` in this step. */
  equal: string[];
  /** True if a range of a column limits the rows. */
  range: boolean;
  /** True for a step of a subquery that runs again for each row. */
  perRow: boolean;
  /** True if the step stops when a limit is reached, because its rows are not sorted first. */
  limited: boolean;
  text: string;
};

export type Explain = (statement: Statement) => Promise<Step[]>;

const isPlannable = (text: string) => /^\s*\(?(select|with|insert|update|delete)\b/i.test(text);

type SqliteRow = { id: number; parent: number; detail: string };

/** Explains statements with a separate connection to a SQLite file. */
export function explainOnSqlite(file: string): {
  explain: Explain;
  analyze: () => Promise<void>;
  close: () => void;
} {
  let database = new Database(file);
  // A job updates statistics. A new connection does not see the table sizes without these rows.
  for (const { name } of database
    .prepare("select name from sqlite_master where name like 'sqlite_stat_'")
    .all() as {
    name: string;
  }[])
    database.exec(`delete from ${name}`);
  database.close();
  database = new Database(file);
  return {
    explain: async ({ text, values }) => {
      if (!isPlannable(text)) return [];
      const plan = database.prepare(`explain query plan ${text}`);
      const rows = plan.all(values.map(() => null)) as SqliteRow[];
      return stepsOnSqlite(rows, text);
    },
    analyze: async () => {
      database.exec('analyze');
      database.close();
      database = new Database(file);
    },
    close: () => database.close(),
  };
}

/**
 * The table with an alias, because plans contain only aliases. If several tables have the same alias, the result is
 * day_changes if it is one of them, otherwise the first one.
 */
function tableOf(name: string, text: string): string {
  const called = [...text.matchAll(new RegExp(`"?(\\w+)"? as "?${name}"?\\b`, 'gi'))].map(
    ([, table]) => table!,
  );
  return called.find((table) => table === 'day_changes') ?? called[0] ?? name;
}

function stepsOnSqlite(rows: SqliteRow[], text: string): Step[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const siblings = Map.groupBy(rows, ({ parent }) => parent);
  const isCorrelated = (row: SqliteRow): boolean => {
    for (let at = byId.get(row.parent); at; at = byId.get(at.parent)) {
      if (at.detail.startsWith('CORRELATED')) return true;
    }
    return false;
  };
  return rows.flatMap((row) => {
    const found = /^(SCAN|SEARCH) (\S+)(?: EXISTS)?(?: USING (.*?))?(?: LEFT-JOIN)?$/.exec(row.detail);
    // A SEARCH without an index and a condition reads only the first or the last row of a table.
    if (!found || (found[1] === 'SEARCH' && found[3] === undefined)) return [];
    const beside = siblings.get(row.parent) ?? [];
    const using = found[3] ?? '';
    const terms = /\((.*)\)$/.exec(using)?.[1]?.split(' AND ') ?? [];
    return [
      {
        table: tableOf(found[2]!, text),
        index: /INDEX (\S+)/.exec(using)?.[1] ?? null,
        equal: terms
          .flatMap((term) => /^(.+)=\?$/.exec(term)?.[1] ?? [])
          .map((name) => (name === 'rowid' ? 'id' : name)),
        range: terms.some((term) => /[<>]\?$/.test(term)),
        perRow: isCorrelated(row),
        // Sorting only the last terms is not counted, because it sorts few rows at a time.
        limited:
          / limit /i.test(text) && !beside.some(({ detail }) => /^USE TEMP B-TREE FOR (?!LAST)/.test(detail)),
        text: row.detail,
      },
    ];
  });
}

type PostgresNode = {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Parent Relationship'?: string;
  'Subplan Name'?: string;
  Plans?: PostgresNode[];
};

/** Test tables have few rows, so the planner must plan for this many times as many. */
const TIMES = 250;

/**
 * Explains statements as if every table were {@link TIMES} as long, with a separate connection to PostgreSQL. With
 * `enable_seqscan = off` a plan reads a whole table only if no index can be used.
 */
export async function explainOnPostgres(
  url: string,
): Promise<{ explain: Explain; analyze: () => Promise<void>; close: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set enable_seqscan = off');
  const enlarge = async () => {
    await client.query(`update pg_class c set reltuples = counted.n * ${TIMES}, relpages = greatest(1, pg_relation_size(c.oid) / 8192)
      from (select r.oid, case when r.relkind = 'r' then (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %s', r.oid::regclass), false, true, '')))[1]::text::bigint
        else (select (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %s', i.indrelid::regclass), false, true, '')))[1]::text::bigint from pg_index i where i.indexrelid = r.oid) end as n
        from pg_class r where r.relnamespace = 'public'::regnamespace and r.relkind in ('r', 'i')) counted
      where counted.oid = c.oid`);
  };
  await enlarge();
  return {
    explain: async ({ text, values }) => {
      if (!isPlannable(text)) return [];
      const ask = async () => {
        const { rows } = await client.query(`explain (format json) ${text}`, values.map(asParameter));
        return (rows[0]['QUERY PLAN'] as [{ Plan: PostgresNode }])[0].Plan;
      };
      const steps = stepsOnPostgres(await ask());
      await client.query('set enable_seqscan = on');
      steps.push(...collectedWhole(await ask()));
      await client.query('set enable_seqscan = off');
      return steps;
    },
    analyze: async () => {
      await client.query('analyze');
      await enlarge();
    },
    close: () => client.end(),
  };
}

const asParameter = (value: unknown) => (value === undefined ? null : value);

function scanOf(node: PostgresNode, relation: string | undefined): Omit<Step, 'perRow' | 'limited'> {
  const condition = node['Index Cond'] ?? '';
  const index = node['Index Name'];
  const nulls = [...condition.matchAll(/\((\w+) IS NULL\)/g)].map(([, name]) => name!);
  const equal = [...condition.matchAll(/\(?"?(\w+)"?\)?(?:::\w+)? = /g)].map(([, name]) => name!);
  return {
    table: node['Relation Name'] ?? relation ?? '',
    index: index ?? null,
    equal: index === undefined ? [] : [...equal, ...nulls],
    range: /[<>]|~~|IS NOT NULL/.test(condition),
    text: `${node['Node Type']} ${node.Alias ?? ''} ${index ?? ''} ${condition}`.replace(/ +/g, ' '),
  };
}

/** True if a node reads a table. A bitmap heap scan is not counted, because it reads only rows found by its index. */
const isScan = (node: PostgresNode): boolean =>
  /Scan$/.test(node['Node Type']) &&
  node['Node Type'] !== 'Bitmap Heap Scan' &&
  (node['Relation Name'] ?? node['Index Name']) !== undefined;

/**
 * The tables that a plan reads completely into memory to test each row against them ('hashed SubPlan'). PostgreSQL
 * avoids this with `enable_seqscan = off`, so it is found only without that setting.
 */
function collectedWhole(root: PostgresNode): Step[] {
  const walks = (node: PostgresNode, relation?: string): Step[] => {
    const scan = scanOf(node, relation);
    // Counted as a full read even with a range, because a range can have any number of rows although a test needs only
    // one.
    const step = { ...scan, range: false, perRow: true, limited: false, text: `collects ${scan.text}` };
    const inside = (node.Plans ?? []).flatMap((child) => walks(child, node['Relation Name']));
    return isScan(node) ? [step, ...inside] : inside;
  };
  const isHashed = (node: PostgresNode) => /hashed SubPlan/.test(node.Filter ?? '');
  const visit = (node: PostgresNode): Step[] =>
    (node.Plans ?? []).flatMap((child) =>
      isHashed(node) && child['Parent Relationship'] === 'SubPlan' ? walks(child, undefined) : visit(child),
    );
  return visit(root);
}

function stepsOnPostgres(root: PostgresNode): Step[] {
  const steps: Step[] = [];
  const visit = (node: PostgresNode, perRow: boolean, limited: boolean, relation?: string) => {
    const type = node['Node Type'];
    if (isScan(node)) steps.push({ ...scanOf(node, relation), perRow, limited });
    for (const child of node.Plans ?? []) {
      const again = child['Parent Relationship'] === 'SubPlan' && !/hashed/.test(node.Filter ?? '');
      const isLimited = type === 'Limit' || (limited && !/^Sort|Aggregate|Hash|Unique/.test(type));
      const isSubPlan = child['Parent Relationship'] === 'SubPlan';
      visit(child, perRow || again, isSubPlan ? false : isLimited, node['Relation Name'] ?? relation);
    }
  };
  visit(root, false, false);
  return steps;
}
