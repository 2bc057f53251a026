/*
 * site.js - the page of plumb report, in a real browser.
 *
 *	node site.js MODULES SHOTS FOLDER
 *
 * FOLDER has site.html, of a run, findings and bounds (mksites.py), and site-hostile.html,
 * site-many.html and site-none.html of runs alone.  Writes the patch to FOLDER/patch.txt.
 */
'use strict';
const fs = require('fs');
const path = require('path');
const { check, open, overflows, colours, isDark, run, shots, folder } = require('./browser.js');

const shown = (page) => page.$$eval('.site:not([hidden]) .row .name b', (v) => v.map((e) => e.textContent));
const opened = (page) => page.$$eval('.site', (v) => v.filter((s) => s.querySelector('.detail:not([hidden])')).length);

/* The text of the details of the site of a function. */
const details = (page, name) => page.$$eval('.site', (v, name) => {
	const s = v.find((e) => e.querySelector('.row .name b').textContent === name);
	return s ? s.querySelector('.detail').textContent.replace(/\s+/g, ' ') : null;
}, name);

async function merged(browser) {
	const page = await open(browser, 'site', { viewport: { width: 1280, height: 1400 } });
	const all = await shown(page);
	const leak = await details(page, 'session_open()'), refused = await details(page, 'load_mime_types()');

	check('what several parts agree on comes first', all[0] === 'session_open()' && all[1] === 'load_mime_types()', all);
	check('four sites leak', all.length === 4 && (await page.textContent('h1')).startsWith('4 '), all);
	check('a file of the same name elsewhere is another site', all.includes('other()'), all);
	check('an address without a name is one site of both bounds files', all.includes('prog+0x1234') &&
		(await page.$$eval('.site table.runs', (v) => v.length)) === 4);
	check('the stale site has the path that leaks it', leak.includes('the path that leaks it is known') &&
		leak.includes('allocated here'), leak);
	check('and its curves', await page.$$eval('.site .line-cdf', (v) => v.length > 0 && v.every((e) => e.getTotalLength() > 50)));
	check('and its patch', leak.includes('a patch is ready') && leak.includes('+ free(session); /* the patch */'), leak);
	check('what fix refused has the bound', refused.includes('no safe patch: table is kept by <b>') &&
		refused.includes('its bound of 3 keeps the program alive'), refused);
	check('and how it can run for ever', refused.includes('can run for ever with a bound of 3 objects'), refused);
	await page.screenshot({ path: path.join(shots, 'site-light.png'), fullPage: true });
	check('nothing went wrong', page.problems.length === 0, page.problems);
	await page.context().close();
}

async function used(browser) {
	const page = await open(browser, 'site', { viewport: { width: 1280, height: 900 } });

	check('the first one is open', await opened(page) === 1);
	await page.click('th button[data-key=bound]');
	check('sorted by bound', (await shown(page))[0] === 'load_mime_types()', await shown(page));
	await page.click('th button[data-key=rank]');
	await page.click('.bar button[data-kind=refused]');
	check('filtered by what is said', (await shown(page)).join() === 'load_mime_types()', await shown(page));
	await page.click('.bar button[data-kind=refused]');
	await page.click('#quiet');
	check('those that do not leak can be shown', (await shown(page)).length > 4, await shown(page));
	await page.keyboard.press('/');
	await page.keyboard.type('kept by');
	check('searched by keyboard', (await shown(page)).join() === 'load_mime_types()', await shown(page));
	await page.keyboard.press('Escape');
	await page.click('#fold');
	await page.keyboard.press('j');
	await page.keyboard.press('j');
	await page.keyboard.press('Enter');
	check('opened by keyboard', await opened(page) === 1);
	check('nothing went wrong in use', page.problems.length === 0, page.problems);
	await page.context().close();

	for (const hash of ['#f-' + 'b'.repeat(16)]) {
		const linked = await open(browser, 'site', {}, hash);
		check('a link to a finding opens its site', await linked.isVisible(hash + ' .excerpt, ' + hash + ' .fix'));
		await linked.context().close();
	}
	const quiet = await open(browser, 'site', {});
	const id = await quiet.$eval('.site[hidden]', (s) => s.id);
	await quiet.context().close();
	const there = await open(browser, 'site', {}, '#' + id);
	check('a link to a site that is hidden shows it', await there.isVisible('#' + id + ' .detail'));
	await there.context().close();
}

async function copied(browser) {
	const page = await open(browser, 'site', { permissions: ['clipboard-read', 'clipboard-write'] });
	const diff = await page.textContent('.diff');

	fs.writeFileSync(path.join(folder, 'patch.txt'), diff);
	await page.click('.copy');
	await page.waitForSelector('.copy[data-said=copied]');	/* its text soon goes back */
	check('the patch is copied', await page.evaluate(() => navigator.clipboard.readText()) === diff);
	await page.context().close();
	const old = await open(browser, 'site', {});
	await old.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
	await old.click('.copy');
	check('or selected where that is not allowed', (await old.evaluate(() => String(getSelection()))).includes('the patch'));
	await old.context().close();
}

/*
 * Are the colours that were chosen there after a reload?  The browser stores what a page keeps in
 * its own time, and on a busy machine a reload may come first: then it is chosen again.
 */
async function stays(page, dark) {
	for (let n = 0; n < 5; n++) {
		if (isDark(await colours(page)) === dark)
			await page.click('#theme');
		await page.waitForTimeout(100 * n);
		await page.reload();
		if (isDark(await colours(page)) !== dark)
			return true;
	}
	return false;
}

async function painted(browser) {
	for (const colorScheme of ['light', 'dark']) {
		const page = await open(browser, 'site', { colorScheme, viewport: { width: 390, height: 900 } });
		const dark = colorScheme === 'dark';

		check(`${colorScheme} where that is wanted`, isDark(await colours(page)) === dark, await colours(page));
		await page.screenshot({ path: path.join(shots, `site-phone-${colorScheme}.png`), fullPage: true });
		await page.click('#theme');
		check('and switched', isDark(await colours(page)) !== dark, await colours(page));
		check('and it stays so', await stays(page, dark), await colours(page));
		await page.context().close();
	}
	const wide = await open(browser, 'site', { colorScheme: 'dark', viewport: { width: 1280, height: 900 } });
	await wide.screenshot({ path: path.join(shots, 'site-dark.png'), fullPage: true });
	await wide.context().close();
}

async function fits(browser) {
	for (const width of [320, 390, 768, 1280]) {
		const page = await open(browser, 'site', { viewport: { width, height: 900 } });

		await page.click('#quiet');
		await page.click('#fold');
		await page.click('#fold');
		check(`fits into ${width} pixels`, !await overflows(page));
		await page.context().close();
	}
	const hostile = await open(browser, 'site-hostile', { viewport: { width: 390, height: 900 } });
	check('hostile names stay text', hostile.problems.length === 0, hostile.problems);
	check('and do not stretch the page', !await overflows(hostile));
	const many = await open(browser, 'site-many', {});
	check('many sites', (await shown(many)).length >= 1 && many.problems.length === 0, many.problems);
	const none = await open(browser, 'site-none', {});
	check('nothing to show is said', (await none.textContent('main')).includes('No allocation site') &&
		none.problems.length === 0, none.problems);
	const plain = await open(browser, 'site', { javaScriptEnabled: false });
	check('complete without script', await plain.isVisible('.site:nth-of-type(2) .verdicts') &&
		!await plain.isVisible('#theme') && !await plain.isVisible('.copy'));
}

run(merged, used, copied, painted, fits);
