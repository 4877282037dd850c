/** A table of which the server has the pages and the order. */
import type { ComponentChildren } from "preact";
import { Icon } from "./icon";

export interface Column<Row> {
  /** By which it is sorted, and the key of the column. */
  name: string;
  title: string;
  cell: (row: Row) => ComponentChildren;
  isNumeric?: boolean;
  isSortable?: boolean;
  /** Shown where the mouse rests on the title. */
  help?: string;
}

export interface TableProps<Row> {
  /** What the table is of, for those who cannot see it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Where a row leads; its first cell is the link. */
  rowLink?: (row: Row) => string;
  /** The name of a column, with `-` before it where it descends. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** Instead of rows, where there are none. */
  empty?: ComponentChildren;
  /** On a narrow screen a row is its cells one below the other. */
  isNarrow?: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, rowLink, sort = "", onSort, empty = "Nothing is here.", isNarrow = false } = props;
  return (
    <div class={isNarrow ? "table-frame stacks" : "table-frame"} tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) => (
                <td key={column.name} class={column.isNumeric ? "number" : undefined}>
                  {index === 0 && rowLink ? <a href={rowLink(row)}>{column.cell(row)}</a> : column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td class="empty" colSpan={columns.length}>
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

interface HeadingProps<Row> {
  column: Column<Row>;
  sort: string;
  onSort: ((sort: string) => void) | undefined;
}

function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { name, title, isNumeric, isSortable, help } = column;
  const ascends = sort === name;
  const descends = sort === `-${name}`;
  const order = ascends ? "ascending" : descends ? "descending" : "none";
  const next = ascends || (isNumeric && !descends) ? `-${name}` : name;
  return (
    <th scope="col" class={isNumeric ? "number" : undefined} aria-sort={isSortable ? order : undefined} title={help}>
      {isSortable && onSort ? (
        <button type="button" class="plain" onClick={() => onSort(next)}>
          {title}
          <span class="order" aria-hidden="true">
            {ascends ? "▲" : descends ? "▼" : ""}
          </span>
        </button>
      ) : (
        title || <span class="unseen">{name}</span>
      )}
    </th>
  );
}

export interface PagerProps {
  /** Of the first row, counted from 0. */
  offset: number;
  rows: number;
  total?: number;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

export function Pager({ offset, rows, total, onPrevious, onNext }: PagerProps) {
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" onClick={onPrevious} disabled={!onPrevious} aria-label="Previous page">
        <Icon name="left" />
      </button>
      <span>
        {rows ? `${offset + 1}–${offset + rows}` : "0"}
        {total === undefined ? "" : ` of ${total.toLocaleString("en")}`}
      </span>
      <button type="button" onClick={onNext} disabled={!onNext} aria-label="Next page">
        <Icon name="right" />
      </button>
    </nav>
  );
}
