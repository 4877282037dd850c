/** Which values a snapshot has left behind: each broker of a divided queue sends one of its own keys.
 *
 * A queue that is not divided is as one partition.
 */
export class Snapshots {
  /** The newest snapshot that began, whose number what comes now gets. */
  current = 0;

  private ofAll = 0;
  private readonly begun = new Map<number, number>();
  private readonly ended = new Map<number, number>();

  /** A snapshot of one partition begins, or of all. */
  begin(partition?: number): void {
    this.current++;
    if (partition !== undefined) this.begun.set(partition, this.current);
    else {
      this.begun.clear();
      this.ofAll = this.current;
    }
  }

  end(partition = 0): void {
    this.ended.set(partition, this.current);
  }

  /** Whether a partition's snapshot has begun and not ended. */
  isOpen(partition = 0): boolean {
    return (this.ended.get(partition) ?? 0) < this.beganAt(partition);
  }

  /** Whether a value came before the newest snapshot of its partition. */
  isLeftBehind(snapshot: number, partition = 0): boolean {
    return snapshot < this.beganAt(partition);
  }

  private beganAt(partition: number): number {
    return this.begun.get(partition) ?? this.ofAll;
  }
}
