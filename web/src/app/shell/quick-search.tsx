import { Combobox, Kbd, Loader, Modal, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import classes from './quick-search.module.css';
import { type Hit, type HitGroup, useHits } from './quick-search-hits.ts';

const optionsOf = ({ hits, all }: HitGroup): Hit[] => (all ? [...hits, all] : hits);

function messageFor({ groups, isSearching, isFailed }: ReturnType<typeof useHits>): string {
  if (isFailed) return 'The search failed. Please try again.';
  if (isSearching) return 'Searching...';
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  return count === 0 ? 'Nothing found' : `${count} ${count === 1 ? 'result' : 'results'}`;
}

export function QuickSearch({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  /** The hit that the arrow keys led to; until they did, it is the first one. */
  const [pickedTo, setPickedTo] = useState<string>();
  const [isWanted, setIsWanted] = useState(false);
  const navigate = useNavigate();
  const id = useId();
  const found = useHits(text);
  const options = found.groups.flatMap(optionsOf);
  const first = found.isSearching ? undefined : options[0];
  const chosen = options.find(({ to }) => to === pickedTo) ?? first;
  const idOf = ({ to }: Hit) => `${id}-${options.findIndex((option) => option.to === to)}`;
  const chosenId = chosen && idOf(chosen);

  function open(to: string): void {
    onClose();
    navigate(to);
  }

  function ask(typed: string): void {
    setText(typed);
    setPickedTo(undefined);
    setIsWanted(false);
  }

  function pick(step: 1 | -1): void {
    const from = chosen ? options.indexOf(chosen) : step === 1 ? -1 : 0;
    setPickedTo(options.at((from + step) % options.length)?.to);
  }

  function onKeyDown(event: KeyboardEvent): void {
    // In the middle of a word these keys belong to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') pick(1);
    else if (event.key === 'ArrowUp') pick(-1);
    else if (event.key !== 'Enter') return;
    else if (chosen) open(chosen.to);
    else setIsWanted(found.isSearching);
    event.preventDefault();
  }

  const openFirst = useEffectEvent(() => {
    setIsWanted(false);
    if (first && !found.isFailed) open(first.to);
  });
  const isAnswered = isWanted && !found.isSearching;
  useEffect(() => {
    if (isAnswered) openFirst();
  }, [isAnswered]);

  useEffect(() => {
    if (chosenId) document.getElementById(chosenId)?.scrollIntoView({ block: 'nearest' });
  }, [chosenId]);

  return (
    <Modal
      opened
      onClose={onClose}
      title="Quick search"
      size="lg"
      yOffset="12vh"
      withCloseButton={false}
      classNames={{ body: classes.body ?? '' }}
    >
      <Combobox onOptionSubmit={open}>
        <TextInput
          role="combobox"
          aria-label="Quick search"
          aria-expanded
          aria-haspopup="listbox"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosenId}
          autoComplete="off"
          placeholder="Customers, documents, screens"
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={found.isSearching ? <Loader size={16} /> : <Kbd size="xs">Esc</Kbd>}
          rightSectionWidth={52}
          size="md"
          data-autofocus
          value={text}
          maxLength={200}
          onChange={(event) => ask(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Combobox.Options id={`${id}-list`} className={classes.options ?? ''} aria-label="Results">
          {found.groups.map((group) => (
            <Combobox.Group key={group.name} label={group.name}>
              {optionsOf(group).map((hit) => (
                <Combobox.Option
                  key={hit.to}
                  id={idOf(hit)}
                  value={hit.to}
                  selected={hit === chosen}
                  aria-selected={hit === chosen}
                  className={classes.option ?? ''}
                >
                  <Text dir="auto" lineClamp={1} title={hit.label} inherit>
                    {hit.label}
                  </Text>
                  {hit.detail && (
                    <Text size="xs" className={classes.detail ?? ''} dir="auto" lineClamp={1}>
                      {hit.detail}
                    </Text>
                  )}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox>
      <Text size="sm" c="dimmed" role="status" mt="sm">
        {messageFor(found)}
      </Text>
    </Modal>
  );
}
