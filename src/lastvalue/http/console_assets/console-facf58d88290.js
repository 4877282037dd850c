var pe,Ks,X2,Ot,J2,qo,Qs,Lo,Gs,er,Z2,Tu,ro=Symbol.for("pv"),Fo={},Io=[],Mu=/^m(i|n|o|s|text|space)$/,tr=Array.isArray,nr=Io.slice,Jt=Object.assign;function Yt(e){e&&e.parentNode&&e.remove()}function Ys(e,t,n){var o,r,i,l={},a=arguments.length;for(i in t)i=="key"?o=t[i]:i=="ref"&&typeof e!="function"?r=t[i]:l[i]=t[i];return a>2&&(l.children=a>3?nr.call(arguments,2):n),oo(e,l,o,r,null)}function oo(e,t,n,o,r){var i={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ro,__v:r||++Ks,__i:-1,__u:0};return!r&&pe.vnode&&pe.vnode(i),i}function q(e){return e.children}function Cn(e,t){this.props=e,this.context=t,this.__g=0}function At(e,t){if(t==null)return e.__&&At(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:At(e)}function Cu(e){var t,n=e.__v,o=n.__e,r=[],i=[],l=e.__P;l&&((t=Jt({constructor:ro},n)).__v=n.__v+1,pe.vnode&&pe.vnode(t),or(l,t,n,e.__n,l.namespaceURI,32&n.__u?[o]:null,r,o||At(n),32&n.__u,i),t.__v=n.__v,t.__.__k[t.__i]=t,ni(r,t,i),n.__=n.__e=null,t.__e!=o&&Js(t))}function Js(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Js(e)}function js(e){(8&e.__g||(e.__g|=8,Ot.push(e),qo++))&&J2==pe.debounceRendering||((J2=pe.debounceRendering)||queueMicrotask)(Zs)}function Zs(){try{for(var e,t=1;Ot.length;)Ot.length>t&&Ot.sort(Qs),e=Ot.shift(),t=Ot.length,8&e.__g&&Cu(e)}finally{(qo=Ot.length)&&(J2||queueMicrotask)(Zs)}}function Xs(e,t,n,o,r,i,l,a,d,u,f){var g,b,m,_,M,w,T=o.__k||Io,x=t.length;for(d=Ru(n,t,T,d,x),g=0;g<x;g++)(m=n.__k[g])!=null&&(b=~m.__i&&T[m.__i]||Fo,m.__i=g,w=or(e,m,b,r,i,l,a,d,u,f),_=m.__e,(b.ref!=m.ref||8&b.__u)&&(b.ref&&rr(b.ref,null,m,b),m.ref&&f.push(m.ref,m.__c||_,m)),M=M||_,4&m.__u?(d=ei(m,d,e,!b.__v),b.__e&&(b.__e=null)):typeof m.type=="function"&&w!==void 0?d=w:_&&(d=_.nextSibling),m.__u&=-21);return n.__e=M,d}function Ru(e,t,n,o,r){var i,l,a,d,u,f,g,b,m,_=n.length,M=_,w=0,T=0,x=e.__k=Array(r);for(i=0;i<r;i++)(l=t[i])!=null&&typeof l!="boolean"&&typeof l!="function"?(typeof l!="object"||l.constructor===String?l=x[i]=oo(null,l):tr(l)?l=x[i]=oo(q,{children:l}):l.constructor===ro&&l.__b?l=x[i]=oo(l.type,l.props,l.key,l.ref,l.__v):x[i]=l,d=i+w,l.__=e,l.__b=e.__b+1,a=null,~(u=l.__i=Eu(l,n,d,M))&&(M--,(a=n[u])&&(a.__u|=2)),a&&a.__v?(l.__u|=16,u==d-1?w--:u==d+1?w++:u!=d&&(u>d?w--:w++,T=1)):(~u||(r>_?w--:r<_&&w++),typeof l.type!="function"&&(l.__u|=4))):x[i]=null;if(T){for(f=[],g=[],i=0;i<r;i++)if((l=x[i])&&16&l.__u){for(w=0,b=f.length;w<b;)f[m=w+b>>1]<l.__i?w=m+1:b=m;f[w]=l.__i,g[i]=w+1}for(w=f.length;i--;)g[i]&&(g[i]==w?w--:x[i].__u|=4)}if(M)for(i=0;i<_;i++)!(a=n[i])||2&a.__u||(a.__e==o&&(o=At(a)),sr(a,a));return o}function ei(e,t,n,o){var r,i,l,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&(r[i].__=e,t=ei(r[i],t,n,!1));return t}for(t&&!t.parentNode&&(t=At(e))&&!t.parentNode&&(t=null),l=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(l!=a&&(!o&&n.moveBefore&&l.parentNode?n.moveBefore(l,t):n.insertBefore(l,t||null)),t=l;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Eu(e,t,n,o){var r,i=e.key,l=e.type,a=t[n],d=a&&!(2&a.__u);if(a===null&&i==null||d&&i==a.key&&l==a.type)return n;if(o>(d?1:0)){for(r=n-1;r>=0;r--)if((a=t[r])&&!(2&a.__u)&&i==a.key&&l==a.type)return r;for(r=n+1;r<t.length;r++)if((a=t[r])&&!(2&a.__u)&&i==a.key&&l==a.type)return r}return-1}function Bs(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function $o(e,t,n,o,r){var i,l;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Bs(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Bs(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(l=Z2[t]||(Z2[t]=Ou(t)),(e.__a||(e.__a={}))[t]=er,i=t!=(t=t.replace(Gs,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,l,i):e.removeEventListener(t,l,i));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Ou(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Lo]==null)t[Lo]=er++;else if(t[Lo]<this.__a[e])return;return n(pe.event?pe.event(t):t)}}}function or(e,t,n,o,r,i,l,a,d,u){var f,g,b,m,_,M,w,T,x,S,P,z,L,ne,O,J,K,E,Q=t.type;if(t.constructor!==ro)return null;128&n.__u&&(d=32&n.__u,f=n.__c.__z)&&(t.__u|=d,g=i=[],f.nodeType==8?a=No(f,i):i.push(f),a=i[0]||a),(f=pe.__b)&&f(t);e:if(typeof Q=="function"){b=l.length;try{if(T=t.props,x=(f=Q.prototype)&&f.render,S=(f=Q.contextType)&&o[f.__c],P=f?S?S.props.value:f.__:o,(m=n.__c)?(t.__c=m,2&m.__g&&(m.__g|=1)):(x?t.__c=m=new Q(T,P):(t.__c=m=new Cn(T,P),m.constructor=Q,m.render=Du),S&&S.sub(m),m.state||(m.state={}),m.__n=o,m.__g|=8,m.__h=[],m.__k=[]),x&&(m.__s||(m.__s=m.state),Q.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Jt({},m.__s)),Jt(m.__s,Q.getDerivedStateFromProps(T,m.__s)))),_=m.props,M=m.state,m.__v=t,n.__c){if(T!==_&&x&&!Q.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(T,P),t.__v==n.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(T,m.__s,P)===!1){t.__v!=n.__v&&(m.props=T,m.state=m.__s,m.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(N){N&&(N.__=t)}),Io.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&l.push(m),a=At(n);break e}m.componentWillUpdate&&m.componentWillUpdate(T,m.__s,P),x&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(_,M,w)})}else x&&!Q.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),x&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=P,m.props=T,m.__P=e,m.__g&=-5,z=pe.__r,L=x?25:0;do m.__g&=-9,z&&z(t),f=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++L<25);x&&(Io.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(o=Jt({},o,m.getChildContext())),x&&n.__c&&m.getSnapshotBeforeUpdate&&(w=m.getSnapshotBeforeUpdate(_,M)),ne=f&&f.type===q&&f.key==null?f.props.children:f,T.__P&&(f=a,r=(e=T.__P).namespaceURI,d=i=null,n.props&&n.props.__P!=e&&(n.__k.some(function(N){N&&sr(N,N)}),n.__k=null),a=n.__k?At(n,0):null),a=Xs(e,tr(ne)?ne:[ne],t,n,o,r,i,l,a,d,u),T.__P&&(t.__e=null,a=f),t.__u&=-161,g&&g.some(Yt),m.__h.length&&l.push(m),1&m.__g&&(m.__g&=-4)}catch(N){if(l.length=b,t.__v=null,d||i)if(N&&N.then){if(t.__u|=128|d,i){for(~(K=i.indexOf(a||void 0))||(K=i.length);(E=i[K-1])&&E.nodeType==8;)K--;for(;K<i.length;K++)if(E=i[K])if(i[K]=null,O){if(E==J)break}else{if(E.nodeType!=8)break;E.data.startsWith("$s")&&(J=No(O=E))}}if(!O){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;O=a}(f=No(O=t.__c.__z||(t.__c.__z=O)))?(t.__e=O,a=f):t.__e=a,a=a&&a.nextSibling}else i&&i.some(Yt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),N&&N.then||ti(t),pe.__e(N,t,n)}}else a=t.__e=Au(n.__e,t,n,o,r,i,l,d,u,e);return(f=pe.diffed)&&f(t),a}function No(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function ti(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(ti))}function ni(e,t,n){for(var o=0;o<n.length;)rr(n[o++],n[o++],n[o++]);pe.__c&&pe.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(i){i.call(r)})}catch(i){pe.__e(i,r.__v)}})}function Au(e,t,n,o,r,i,l,a,d,u){var f,g,b,m,_,M,w,T,x=n.props||Fo,S=t.props,P=t.type;if(P=="svg"?r="http://www.w3.org/2000/svg":P=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),i){for(f=0;f<i.length;f++)if((_=i[f])&&(P?_.localName==P:_.nodeType==3)){e=_,i[f]=null;break}}if(!e){if(T=u.ownerDocument||document,!P)return T.createTextNode(S);e=T.createElementNS(r,P,S.is?S:u),a&&(pe.__m&&pe.__m(t,i),a=!1),i=null}if(P){if(u=P=="template"&&e.content||e,i=P=="textarea"&&S.defaultValue!=null?null:i&&nr.call(u.childNodes),!a&&i)for(x={},f=0;f<e.attributes.length;f++)x[(_=e.attributes[f]).name]=_.value;for(f in x)_=x[f],f=="dangerouslySetInnerHTML"?b=_:f=="children"||f in S||f=="value"&&"defaultValue"in S||f=="checked"&&"defaultChecked"in S||$o(e,f,null,_,r);for(f in S)_=S[f],f=="children"?m=_:f=="dangerouslySetInnerHTML"?g=_:f=="value"?M=_:f=="checked"?w=_:a&&typeof _!="function"||x[f]===_||$o(e,f,_,x[f],r);g?(a||b&&(g.__html==b.__html||g.__html==e.innerHTML)||(e.innerHTML=g.__html),t.__k=[]):(b&&(e.textContent=""),(P=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Mu.test(P))&&(r="http://www.w3.org/1999/xhtml"),Xs(u,tr(m)?m:[m],t,n,o,r,i,l,i?i[0]:n.__k&&At(n,0),a,d),i&&i.some(Yt)),a&&P!="textarea"||(f="value",P=="progress"&&M==null?e.removeAttribute(f):M==null||M===e[f]&&(P!="progress"||M)||$o(e,f,M,x[f],r),f="checked",w!=null&&w!=e[f]&&$o(e,f,w,x[f],r))}else x===S||a&&e.data==S||(e.data=S);return e}function rr(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){pe.__e(r,n)}}function sr(e,t,n){var o,r,i,l;if(pe.unmount&&pe.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||rr(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){pe.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(l=0;l<o.length;l++)o[l]&&sr(o[l],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=No(o,i=[]))&&(o==e.__e&&i.some(Yt),Yt(r),Yt(o)),n||Yt(e.__e),e.__e=e.__c=e.__=null}function Du(e,t,n){return this.constructor(e,n)}function oi(e,t){var n,o,r,i;pe.__&&pe.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=oo(q,{children:[e]}),r=[],i=[],or(t,t.__k,o||Fo,Fo,t.namespaceURI,o?null:t.firstChild?nr.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,i),ni(r,t.__k,i),t.__k.props.children=null}pe={__e:function(e,t,n,o){for(var r,i,l;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((l=(i=r.constructor)&&i.getDerivedStateFromError)&&r.setState(i.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),l=1),l&&8&r.__g)return void(r.__g|=2)}catch(a){e=a}}throw qo=0,e}},Ks=0,X2=function(e){return e!=null&&e.constructor===ro},Cn.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Jt({},this.state)),typeof e=="function"&&(e=e(Jt({},n),this.props)),e&&(Jt(n,e),this.__v&&(t&&this.__k.push(t),js(this)))},Cn.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),js(this))},Cn.prototype.render=q,Ot=[],qo=0,Qs=function(e,t){return e.__v.__b-t.__v.__b},Lo=Symbol(),Gs=/(PointerCapture)$|Capture$/i,er=0,Z2={},Tu=0;var io,b1,ir,ri,$u=Object.is,lr=0,pi=[],ar=[],je=pe,si=je.__b,ii=je.__r,li=je.diffed,ai=je.__c,ui=je.unmount,ci=je.__;function cr(e,t){je.__h&&je.__h(b1,e,lr||t),lr=0;var n=b1.__H||(b1.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function re(e,t){var n=cr(io++,3);!je.__s&&mi(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,b1.__H.__h.push(n))}function Ye(e){return lr=5,me(function(){return{current:e}},[])}function me(e,t){var n=cr(io++,7);return mi(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Vo(){var e=cr(io++,11);if(!e.__){for(var t=b1.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Lu(){var e;do{for(;e=ar.shift();)try{so(e)}catch(n){je.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=pi.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(so),t.__h.some(ur),t.__h=[]}catch(n){t.__h=[],je.__e(n,e.__v)}}}while(ar.length)}je.__b=function(e){b1=null,si&&si(e)},je.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ci&&ci(e,t)},je.__r=function(e){ii&&ii(e),io=0;var t=(b1=e.__c).__H;t&&(ir==b1?b1.__h=[]:(t.__h.some(so),t.__h.some(ur),io=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ir=b1},je.diffed=function(e){li&&li(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&fi(pi.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ir=b1=null},je.__c=function(e,t){t.some(function(n){try{n.__h.some(so),n.__h=n.__h.filter(function(o){return!o.__||ur(o)})}catch(o){n.__h=[function(){throw o}]}}),ai&&ai(e,t)},je.unmount=function(e){ui&&ui(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,fi(ar.push(r))}else so(r)}catch(i){t=i}}),o.__H=void 0,t&&je.__e(t,o.__v))};var di=typeof requestAnimationFrame=="function";function Nu(e){var t,n=function(){clearTimeout(o),di&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);di&&(t=requestAnimationFrame(n))}function fi(e){e!=1&&ri==je.requestAnimationFrame||((ri=je.requestAnimationFrame)||Nu)(Lu)}function so(e){var t=b1,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),b1=t}function ur(e){var t=b1;e.__c=e.__(),b1=t}function mi(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!$u(n,e[o])})}var qu=Symbol.for("preact-signals");function Uo(){if(bt>1)bt--;else{var e,t=!1;for((function(){var r=Ho;for(Ho=void 0;r!==void 0;){var i=r.S;if(i.v===r.v)for(var l=i.t;l!==void 0;l=l.x)l.i===r.i&&(l.i=i.i);r=r.o}})();ao!==void 0;){var n=ao;for(ao=void 0,Wo++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&gi(n))try{n.c()}catch(r){t||(e=r,t=!0)}n=o}}if(Wo=0,bt--,t)throw e}}function fr(e){if(bt>0)return e();dr=++Fu,bt++;try{return e()}finally{Uo()}}var lo,Ie=void 0;function uo(e){var t=Ie,n=lo;Ie=void 0,lo=void 0;try{return e()}finally{Ie=t,lo=n}}var ao=void 0,bt=0,Wo=0,Fu=0,dr=0,Ho=void 0,zo=0;function hi(e){if(Ie!==void 0){var t=e.n;if(t===void 0||t.t!==Ie)return t={i:0,S:e,p:Ie.s,n:void 0,t:Ie,e:void 0,x:void 0,r:t},Ie.s!==void 0&&(Ie.s.n=t),Ie.s=t,e.n=t,32&Ie.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=Ie.s,t.n=void 0,Ie.s.n=t,Ie.s=t),t}}function Je(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Je.prototype.brand=qu;Je.prototype.h=function(){return!0};Je.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:uo(function(){var o;(o=t.W)==null||o.call(t)}))};Je.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&uo(function(){var r;(r=t.Z)==null||r.call(t)}))}};Je.prototype.subscribe=function(e){var t=this;return yt(function(){var n=t.value;uo(function(){return e(n)})},{name:"sub"})};Je.prototype.valueOf=function(){return this.value};Je.prototype.toString=function(){return this.value+""};Je.prototype.toJSON=function(){return this.value};Je.prototype.peek=function(){var e=this;return uo(function(){return e.value})};Object.defineProperty(Je.prototype,"value",{get:function(){var e=hi(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Wo>100)throw new Error("Cycle detected");(function(n){bt!==0&&Wo===0&&n.l!==dr&&(n.l=dr,Ho={S:n,v:n.v,i:n.i,o:Ho})})(this),this.v=e,this.i++,zo++,bt++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Uo()}}}});function fe(e,t){return new Je(e,t)}function gi(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function vi(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function bi(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function Zt(e,t){Je.call(this,void 0,t),this.x=e,this.s=void 0,this.g=zo-1,this.f=4}Zt.prototype=new Je;Zt.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===zo))return!0;if(this.g=zo,this.f|=1,this.i>0&&!gi(this))return this.f&=-2,!0;var e=Ie;try{vi(this),Ie=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return Ie=e,bi(this),this.f&=-2,!0};Zt.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Je.prototype.S.call(this,e)};Zt.prototype.U=function(e){if(this.t!==void 0&&(Je.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Zt.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Zt.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=hi(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function at(e,t){return new Zt(e,t)}function yi(e){var t=e.j;if(e.j=void 0,typeof t=="function"){bt++;var n=Ie;Ie=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,pr(e),o}finally{Ie=n,Uo()}}}function pr(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,yi(e)}function Iu(e){if(Ie!==this)throw new Error("Out-of-order effect");bi(this),Ie=e,this.f&=-2;try{8&this.f&&pr(this)}finally{Uo()}}function Rn(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,lo&&lo.push(this)}Rn.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Rn.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,yi(this),vi(this),bt++;var e=Ie;return Ie=this,Iu.bind(this,e)};Rn.prototype.N=function(){2&this.f||(this.f|=2,this.u=ao,ao=this)};Rn.prototype.d=function(){this.f|=8,1&this.f||pr(this)};Rn.prototype.dispose=function(){this.d()};function yt(e,t){var n=new Rn(e,t);try{n.c()}catch(r){throw n.d(),r}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var wi,Bo,jo,Vu=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var _i=[];yt(function(){wi=this.N})();function En(e,t){pe[e]=t.bind(null,pe[e]||function(){})}function co(e){if(jo){var t=jo;jo=void 0,t()}jo=e&&e.S()}function xi(e){var t=this,n=e.data,o=$(n);o.name="ReactiveDom",o.value=n;var r=me(function(){for(var a=t,d=t.__v;d=d.__;)if(d.__c){d.__c.__$f|=4;break}var u=at(function(){var m=o.value.value;return m===0?0:m===!0?"":m||""}),f=at(function(){return!Array.isArray(u.value)&&!X2(u.value)}),g=yt(function(){if(this.N=ki,f.value){var m=u.value;a.__v&&a.__v.__e&&a.__v.__e.nodeType===3&&(a.__v.__e.data=m)}}),b=t.__$u.d;return t.__$u.d=function(){g(),b.call(this)},[f,u]},[]),i=r[0],l=r[1];return i.value?l.peek():l.value}xi.displayName="ReactiveTextNode";Object.defineProperties(Je.prototype,{constructor:{configurable:!0,value:Ys(q,null).constructor},type:{configurable:!0,value:xi},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});En("__b",function(e,t){if(co(),Bo=void 0,typeof t.type=="string"){var n,o=t.props;for(var r in o)if(r!=="children"){var i=o[r];i instanceof Je&&(n||(t.__np=n={}),n[r]=i,o[r]=i.peek())}}e(t)});En("__r",function(e,t){if(e(t),t.type!==q){co();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(r,i){var l;return yt(function(){l=this},{name:i}),l.c=r,l})((function(r){return function(){var i;Vu&&((i=this.y)==null||i.call(this)),r.__$f|=1,r.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Bo=o,co(n)}});En("__e",function(e,t,n,o){co(),Bo=void 0,e(t,n,o)});En("diffed",function(e,t){co(),Bo=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,r=t.props,i=n.U;if(i)for(var l in i){var a=i[l];a===void 0||o&&l in o||(a.d(),i[l]=void 0)}if(o){i||(i={},n.U=i);for(var d in o){var u=i[d],f=o[d];u===void 0?(u=Wu(n,d,f,r),i[d]=u):u.o(f,r)}}}e(t)});function Wu(e,t,n,o){var r=t in e&&e.ownerSVGElement===void 0,i=fe(n);return{o:function(l,a){i.value=l,o=a},d:yt(function(){this.N=ki;var l=i.value.value;o[t]!==l&&(o[t]=l,r?e[t]=l:l!=null&&(l!==!1||t[4]==="-")?e.setAttribute(t,l):e.removeAttribute(t))})}}En("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var r in o){var i=o[r];i&&i.d()}}}var l=t.__np;if(l){var a=t.props;for(var d in l)a[d]=l[d]}t.__np=void 0}else{var u=t.__c;if(u){u.__$f|=8;var f=u.__$u;f&&(u.__$u=void 0,f.d())}}e(t)});En("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});Cn.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var r in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var i=2&this.__$f;if(!(o||i||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var l in e)if(l!=="__source"&&e[l]!==this.props[l])return!0;for(var a in this.props)if(!(a in e))return!0;return!1};function $(e,t){return me(function(){return fe(e,t)},[])}var Hu=function(e){queueMicrotask(function(){queueMicrotask(e)})};function zu(){fr(function(){for(var e;e=_i.shift();)wi.call(e)})}function ki(){_i.push(this)===1&&(pe.requestAnimationFrame||Hu)(zu)}var Ve=class extends Error{constructor(n,o,r=new Map){super(o);this.status=n;this.detail=o;this.fields=r;this.name="Problem"}status;detail;fields;get isOfNothing(){return this.status===404||this.status===410}get isUnreachable(){return this.status===0||this.status===502||this.status===503||this.status===504}},Dt=fe(!0),On=fe(!1),Ko={headers:{}},Uu=12e4,ju=location.pathname.replace(/console\/[^/]*$/,"");async function mr(e,t={}){let n=t.method??"GET",o={...n==="GET"?{}:Ko.headers,...t.headers};t.body!==void 0&&(o["Content-Type"]="application/json");let r;try{r=await fetch(ju+e.slice(1),{method:n,headers:o,body:t.body===void 0?null:JSON.stringify(t.body),signal:t.signal??null,cache:"no-store",credentials:"same-origin"})}catch(l){throw t.signal?.aborted?l:(Dt.value=!1,new Ve(0,"the gateway does not answer"))}if(r.ok||r.status===304)return Dt.value=!0,r;let i=await Bu(r);throw Dt.value=!i.isUnreachable,i.status===401&&(On.value=!0),i}async function Z(e,t={}){let n=new AbortController,o=()=>n.abort(),r=setTimeout(o,Uu);t.signal?.addEventListener("abort",o,{once:!0}),t.signal?.aborted&&o();try{let l=await(await mr(e,{...t,signal:n.signal})).text();return l===""?void 0:JSON.parse(l)}catch(i){throw!n.signal.aborted||t.signal?.aborted?i:(Dt.value=!1,new Ve(0,"the gateway does not answer"))}finally{clearTimeout(r),t.signal?.removeEventListener("abort",o)}}function H(e,t={}){let n=new URLSearchParams;for(let[r,i]of Object.entries(t))i!=null&&i!==""&&n.append(r,String(i));let o=`/${e.map(encodeURIComponent).join("/")}`;return n.size?`${o}?${n}`:o}function Ze(e){return e instanceof Error?e.message:String(e)}async function Bu(e){let t=`${e.status} ${e.statusText}`.trim();try{let n=await e.json(),o=new Map((n.errors??[]).map(r=>[r.field,r.fault]));return new Ve(e.status,n.detail??t,o)}catch{return new Ve(e.status,t)}}var Ku=Symbol.for("pv"),Qu=0;function s(e,t,n,o,r,i){t||(t={});var l,a,d=t;if("ref"in d&&typeof e!="function")for(a in d={},t)a=="ref"?l=t[a]:d[a]=t[a];var u={type:e,props:d,key:n,ref:l,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Ku,__v:--Qu,__i:-1,__u:0};return(r||i)&&(u.__source=r,u.__self=i),pe.vnode&&pe.vnode(u),u}var Gu={left:"M10 3 5 8l5 5",right:"m6 3 5 5-5 5",sun:"M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",moon:"M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z",pin:"M6 2h4l-.5 5 2.5 2.5H4L6.500 7 6 2ZM8 9.500V14",leave:"M6 3H3v10h3M7 8h6M10.500 5 13.500 8l-3 3",check:"m3 8.500 3.500 3.500L13 4.500",dot:"M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",pause:"M5.500 3.500v9M10.500 3.500v9",warning:"M8 2 15 14H1L8 2ZM8 6.500v3.500M8 12v.2",menu:"M2 4h12M2 8h12M2 12h12"};function R1({name:e}){return s("svg",{class:"icon",viewBox:"0 0 16 16",width:"16",height:"16","aria-hidden":"true",focusable:"false",children:s("path",{d:Gu[e],fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round","stroke-linejoin":"round"})})}var Pi=new Intl.NumberFormat("en",{maximumFractionDigits:0}),m7=new Intl.NumberFormat("en",{notation:"compact",maximumSignificantDigits:3}),Si=["B","KiB","MiB","GiB","TiB"],Qo="–";function D(e){return e===void 0?Qo:Pi.format(e)}function u1(e){return e===void 0?Qo:`${e>0&&e<10?e.toFixed(1):Pi.format(e)}/s`}function Xe(e){if(e===void 0)return Qo;let t=0,n=e;for(;n>=1024&&t<Si.length-1;t++)n/=1024;return`${t===0||n>=100?Math.round(n):n.toFixed(1)} ${Si[t]}`}function Oe(e){if(e===void 0)return Qo;if(e<1e3)return`${Math.max(0,Math.round(e))} ms`;let t=e/1e3;if(t<60)return`${t.toFixed(t<10?1:0)} s`;let n=Math.floor(t/60);if(n<60)return`${n} min ${Math.floor(t%60)} s`;let o=Math.floor(n/60);return o<48?`${o} h ${n%60} min`:`${Math.floor(o/24)} d ${o%24} h`}function Be(e){return new Date(e-new Date(e).getTimezoneOffset()*6e4).toISOString().slice(0,23).replace("T"," ")}function Ti(e){let t=-new Date(e).getTimezoneOffset(),n=o=>String(Math.floor(o)).padStart(2,"0");return`UTC${t<0?"-":"+"}${n(Math.abs(t)/60)}:${n(Math.abs(t)%60)}`}function U(e){return e===void 0?"":typeof e=="string"?e:JSON.stringify(e)}function X(e,t=2e3){let n=me(()=>({data:fe(),problem:fe(null),now:()=>{}}),[]);return re(()=>{if(e===null)return;let o=new AbortController,r=0,i=!1,l=async()=>{if(clearTimeout(r),i)return;i=!0;let d=performance.now();try{if(!document.hidden){let u=await Z(e,{signal:o.signal});if(o.signal.aborted)return;n.data.value=u,n.problem.value=null}}catch(u){if(o.signal.aborted)return;n.problem.value=u instanceof Ve?u:new Ve(0,String(u))}finally{i=!1}r=window.setTimeout(l,Math.max(t,4*(performance.now()-d)))},a=()=>{document.hidden||l()};return n.now=()=>{l()},document.addEventListener("visibilitychange",a),l(),()=>{o.abort(),clearTimeout(r),document.removeEventListener("visibilitychange",a)}},[e,t]),me(()=>({data:n.data,problem:n.problem,refresh:()=>n.now()}),[])}var Yu=15e3,Go=fe(),Mi=at(()=>Go.value?.follows??null);async function Ci(){Go.value=await Z(H(["rights"]))}function Ri(){Go.value=void 0}function wt(e){return Ei(Go.value,e,!1)===""}function ut(e){let{data:t}=X(H(["rights"],{name:e}),Yu);return n=>Ei(t.value,n,!0)}function _t(){return Mi.value===null?"":Oi(Mi.value)}function Ei(e,t,n){let o=e?.verbs.find(r=>r.verb===t);return!e||!o?"":o.allowed?n&&o.needs_leader&&e.follows!==null?Oi(e.follows):"":`This needs the right ${o.lacks}`}function Oi(e){return`This broker follows ${e||"another one"}, which makes changes`}var Ai=5e3,Ju=14*864e5;function Di(){let{data:e}=X(wt("show-broker")?"/broker":null,Ai),t=X("/alerts",2*Ai),n=[...e.value?Zu(e.value):[],...(t.data.value?.alerts??[]).map(Xu)];return n.length===0?null:s("div",{class:"alarm",role:"alert",children:n.map(o=>s("p",{children:[s(R1,{name:"warning"})," ",o]},o))})}function Zu(e){let t=(n,o)=>n>0?[`${o}, for ${Oe(e.now_ms-n)}`]:[];return[...t(e.memory_alarm_since_ms,"Memory is short: producers wait"),...t(e.store_alarm_since_ms,"The disk is short: producers of durable queues wait"),...t(e.store_fault_since_ms,"The store cannot be written"),...e0(e),...e.config_reload_ok===!1?["The configuration file could not be applied when it was read last"]:[]]}function Xu({queue:e,what:t,value:n,most:o}){return t==="messages"?`Queue ${e} has ${D(n)} messages, more than ${D(o)}`:t==="bytes"?`Queue ${e} has messages of ${Xe(n)}, more than ${Xe(o)}`:`Queue ${e} has a message that came ${Oe(1e3*n)} ago, longer than ${Oe(1e3*o)}`}function e0({now_ms:e,certificate_expires_ms:t}){return t===void 0||t-e>Ju?[]:[t>e?`The certificate ends in ${Oe(t-e)}`:"The certificate has ended"]}function Pe(){return s("p",{class:"notice",children:"Asking the broker …"})}function se({problem:e}){return s("div",{class:"notice",role:"alert",children:[s("strong",{children:t0(e)}),s("p",{children:e.detail})]})}function t0(e){return e.isUnreachable?"No answer":e.isOfNothing?"Not found":e.status===403?"Not allowed":"Not possible"}var fo=fe([]),n0=5e3,o0=12e3,r0=0;function he(e){Li(e,!1)}function Xt(e){Li(Ze(e),!0)}async function Yo(e,t){try{await t()}catch(n){return Xt(n),!1}return he(e),!0}function $i(){return s("div",{class:"toasts",role:"status","aria-live":"polite",children:fo.value.map(({id:e,text:t,isError:n})=>s("div",{class:n?"toast error":"toast",children:[s("span",{children:t}),s("button",{type:"button",class:"plain","aria-label":"Dismiss",onClick:()=>Ni(e),children:"×"})]},e))})}function Li(e,t){let n=++r0;fo.value=[...fo.value.slice(-3),{id:n,text:e,isError:t}],setTimeout(Ni,t?o0:n0,n)}function Ni(e){fo.value=fo.value.filter(t=>t.id!==e)}function ct({title:e,onClose:t,isDrawer:n=!1,children:o}){let r=Ye(null),i=Vo();return re(()=>{r.current?.showModal()},[]),s("dialog",{ref:r,class:n?"drawer":"dialog","aria-labelledby":i,onClose:t,onClick:l=>l.target===r.current&&r.current?.close(),children:s("div",{class:"dialog-content",children:[s("header",{children:[s("h2",{id:i,children:e}),s("button",{type:"button",class:"plain","aria-label":"Close",onClick:()=>r.current?.close(),children:"×"})]}),o]})})}function W1({fields:e,action:t,isDangerous:n=!1,onSubmit:o}){let r=$(new Map),i=$(""),l=$(!1),a=Vo();return s("form",{class:"form",onSubmit:async u=>{u.preventDefault();let f=i0(e,u.currentTarget);if(r.value=f.faults,i.value="",!f.faults.size){l.value=!0;try{await o(f.answers)}catch(g){g instanceof Ve&&(r.value=g.fields),i.value=Ze(g)}finally{l.value=!1}}},noValidate:!0,children:[e.map(u=>s(s0,{field:u,id:`${a}-${u.name}`,fault:r.value.get(u.name)},u.name)),i.value&&s("p",{class:"fault",role:"alert",children:i.value}),s("div",{class:"form-actions",children:s("button",{type:"submit",class:n?"danger":"primary",disabled:l.value,children:t})})]})}function be({title:e,text:t,onClose:n,onSubmit:o,...r}){return s(ct,{title:e,onClose:n,children:[t&&s("p",{children:t}),s(W1,{...r,onSubmit:async i=>{await o(i),n()}})]})}function s0({field:e,id:t,fault:n}){let{name:o,label:r,kind:i="text",help:l,value:a,isRequired:d,isReadOnly:u}=e,f=[l&&`${t}-help`,n&&`${t}-fault`].filter(Boolean).join(" "),g={id:t,name:o,required:d??!1,"aria-invalid":n!==void 0,...f?{"aria-describedby":f}:{}},b=typeof a=="string"?a:"",m={autocomplete:e.autocomplete??"off",readOnly:u??!1,defaultValue:b};return s("div",{class:i==="checkbox"?"field checkbox":"field",children:[s("label",{for:t,children:r}),i==="choice"?s("select",{...g,value:b,children:(e.choices??[]).map(_=>s("option",{value:_,selected:_===b,children:_},_))}):i==="lines"||i==="json"?s("textarea",{...g,rows:i==="json"?8:4,spellcheck:!1,readOnly:u,defaultValue:b}):i==="password"?s("input",{...g,type:"password",...m}):i==="checkbox"?s("input",{...g,type:"checkbox",defaultChecked:a===!0}):s("input",{...g,type:"text",inputMode:i==="number"?"decimal":"text",...m}),l&&s("small",{id:`${t}-help`,class:"help",children:l}),n&&s("small",{id:`${t}-fault`,class:"fault",children:n})]})}function i0(e,t){let n={},o=new Map;for(let{name:r,kind:i="text",isRequired:l}of e){let a=t.elements.namedItem(r);if(i==="checkbox"){n[r]=a.checked;continue}let d=i==="password"||i==="lines"?a.value:a.value.trim();if(d===""){l&&o.set(r,"this is needed");continue}try{n[r]=i==="number"?l0(d):i==="json"?JSON.parse(d):d}catch(u){o.set(r,Ze(u))}}return{answers:n,faults:o}}function l0(e){let t=Number(e);if(!Number.isFinite(t))throw new Error(`${e} is no number`);return t}var Y1=fe(void 0);async function qi(){Ii(await Z("/session"))}async function hr(e){try{Ii(await Z("/session",{method:"POST",body:e}))}catch(t){throw!(t instanceof Ve)||t.status!==401?t:new Error("token"in e?"The token is wrong or has expired":"Wrong user or password")}}async function Fi(){await Z("/session",{method:"DELETE"}),Ko.headers={},Ri(),Y1.value=void 0,On.value=!0}function Ii(e){Ko.headers=e.csrf_token?{[e.csrf_header]:e.csrf_token}:{},Y1.value=e.user,On.value=!1}function Vi(){let e=$(!1);return s("main",{class:"login",children:[s("h1",{children:"lastvalue"}),e.value?s(W1,{action:"Log in",fields:[{name:"token",label:"Token",kind:"password",isRequired:!0}],onSubmit:({token:t})=>hr({token:t})},"token"):s(W1,{action:"Log in",fields:[{name:"user",label:"User",isRequired:!0,autocomplete:"username"},{name:"password",label:"Password",kind:"password",isRequired:!0,autocomplete:"current-password"}],onSubmit:({user:t,password:n})=>hr({user:t,password:n})},"password"),s("button",{type:"button",class:"plain muted",onClick:()=>e.value=!e.value,children:e.value?"Log in with a password":"Log in with a token"})]})}var a0="uplot",u0="u-hz",c0="u-vt",d0="u-title",f0="u-wrap",p0="u-under",m0="u-over",h0="u-axis",nn="u-off",g0="u-select",v0="u-cursor-x",b0="u-cursor-y",y0="u-cursor-pt",w0="u-legend",_0="u-live",x0="u-inline",k0="u-series",S0="u-marker",Wi="u-label",P0="u-value",mo="width",ho="height";var Hi="bottom",An="left",gr="right",Dr="#000",zi=Dr+"0",vr="mousemove",Ui="mousedown",br="mouseup",ji="mouseenter",Bi="mouseleave",Ki="dblclick",T0="resize",M0="scroll",Qi="change",t2="dppxchange",$r="--",In=typeof window<"u",kr=In?document:null,$n=In?window:null,C0=In?navigator:null,xe,Jo;function Sr(){let e=devicePixelRatio;xe!=e&&(xe=e,Jo&&Tr(Qi,Jo,Sr),Jo=matchMedia(`(min-resolution: ${xe-.001}dppx) and (max-resolution: ${xe+.001}dppx)`),on(Qi,Jo,Sr),$n.dispatchEvent(new CustomEvent(t2)))}function E1(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function Pr(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function Le(e,t,n){e.style[t]=n+"px"}function J1(e,t,n,o){let r=kr.createElement(e);return t!=null&&E1(r,t),n?.insertBefore(r,o),r}function H1(e,t){return J1("div",e,t)}var Gi=new WeakMap;function dt(e,t,n,o,r){let i="translate("+t+"px,"+n+"px)",l=Gi.get(e);i!=l&&(e.style.transform=i,Gi.set(e,i),t<0||n<0||t>o||n>r?E1(e,nn):Pr(e,nn))}var Yi=new WeakMap;function Ji(e,t,n){let o=t+n,r=Yi.get(e);o!=r&&(Yi.set(e,o),e.style.background=t,e.style.borderColor=n)}var Zi=new WeakMap;function Xi(e,t,n,o){let r=t+""+n,i=Zi.get(e);r!=i&&(Zi.set(e,r),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=o?-t/2+"px":0,e.style.marginTop=o?-n/2+"px":0)}var Lr={passive:!0},R0={...Lr,capture:!0};function on(e,t,n,o){t.addEventListener(e,n,o?R0:Lr)}function Tr(e,t,n,o){t.removeEventListener(e,n,Lr)}In&&Sr();function Z1(e,t,n,o){let r;n=n||0,o=o||t.length-1;let i=o<=2147483647;for(;o-n>1;)r=i?n+o>>1:O1((n+o)/2),t[r]<e?n=r:o=r;return e-t[n]<=t[o]-e?n:o}function Ml(e){return(n,o,r)=>{let i=-1,l=-1;for(let a=o;a<=r;a++)if(e(n[a])){i=a;break}for(let a=r;a>=o;a--)if(e(n[a])){l=a;break}return[i,l]}}var Cl=e=>e!=null,Rl=e=>e!=null&&e>0,r2=Ml(Cl),E0=Ml(Rl);function O0(e,t,n,o=0,r=!1){let i=r?E0:r2,l=r?Rl:Cl;[t,n]=i(e,t,n);let a=e[t],d=e[t];if(t>-1)if(o==1)a=e[t],d=e[n];else if(o==-1)a=e[n],d=e[t];else for(let u=t;u<=n;u++){let f=e[u];l(f)&&(f<a?a=f:f>d&&(d=f))}return[a??Ce,d??-Ce]}function s2(e,t,n,o){let r=nl(e),i=nl(t);e==t&&(r==-1?(e*=n,t/=n):(e/=n,t*=n));let l=n==10?xt:El,a=r==1?O1:z1,d=i==1?z1:O1,u=a(l(t1(e))),f=d(l(t1(t))),g=Ln(n,u),b=Ln(n,f);return n==10&&(u<0&&(g=Re(g,-u)),f<0&&(b=Re(b,-f))),o||n==2?(e=g*r,t=b*i):(e=$l(e,g),t=i2(t,b)),[e,t]}function Nr(e,t,n,o){let r=s2(e,t,n,o);return e==0&&(r[0]=0),t==0&&(r[1]=0),r}var qr=.1,el={mode:3,pad:qr},vo={pad:0,soft:null,mode:0},A0={min:vo,max:vo};function n2(e,t,n,o){return l2(n)?tl(e,t,n):(vo.pad=n,vo.soft=o?0:null,vo.mode=o?3:0,tl(e,t,A0))}function ye(e,t){return e??t}function D0(e,t,n){for(t=ye(t,0),n=ye(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function tl(e,t,n){let o=n.min,r=n.max,i=ye(o.pad,0),l=ye(r.pad,0),a=ye(o.hard,-Ce),d=ye(r.hard,Ce),u=ye(o.soft,Ce),f=ye(r.soft,-Ce),g=ye(o.mode,0),b=ye(r.mode,0),m=t-e,_=xt(m),M=y1(t1(e),t1(t)),w=xt(M),T=t1(w-_);(m<1e-24||T>10)&&(m=0,(e==0||t==0)&&(m=1e-24,g==2&&u!=Ce&&(i=0),b==2&&f!=-Ce&&(l=0)));let x=m||M||1e3,S=xt(x),P=Ln(10,O1(S)),z=x*(m==0?e==0?.1:1:i),L=Re($l(e-z,P/10),24),ne=e>=u&&(g==1||g==3&&L<=u||g==2&&L>=u)?u:Ce,O=y1(a,L<ne&&e>=ne?ne:X1(ne,L)),J=x*(m==0?t==0?.1:1:l),K=Re(i2(t+J,P/10),24),E=t<=f&&(b==1||b==3&&K>=f||b==2&&K<=f)?f:-Ce,Q=X1(d,K>E&&t<=E?E:y1(E,K));return O==Q&&O==0&&(Q=100),[O,Q]}var $0=new Intl.NumberFormat(In?C0.language:"en-US"),Fr=e=>$0.format(e),A1=Math,e2=A1.PI,t1=A1.abs,O1=A1.floor,e1=A1.round,z1=A1.ceil,X1=A1.min,y1=A1.max,Ln=A1.pow,nl=A1.sign,xt=A1.log10,El=A1.log2,L0=(e,t=1)=>A1.sinh(e)*t,yr=(e,t=1)=>A1.asinh(e/t),Ce=1/0;function ol(e){return(xt((e^e>>31)-(e>>31))|0)+1}function Mr(e,t,n){return X1(y1(e,t),n)}function Ol(e){return typeof e=="function"}function ce(e){return Ol(e)?e:()=>e}var N0=()=>{},Al=e=>e,Dl=(e,t)=>t,q0=e=>null,rl=e=>!0,sl=(e,t)=>e==t,F0=/\.\d*?(?=9{6,}|0{6,})/gm,rn=e=>{if(Nl(e)||Lt.has(e))return e;let t=`${e}`,n=t.match(F0);if(n==null)return e;let o=n[0].length-1;if(t.indexOf("e-")!=-1){let[r,i]=t.split("e");return+`${rn(r)}e${i}`}return Re(e,o)};function en(e,t){return rn(Re(rn(e/t))*t)}function i2(e,t){return rn(z1(rn(e/t))*t)}function $l(e,t){return rn(O1(rn(e/t))*t)}function Re(e,t=0){if(Nl(e))return e;let n=10**t,o=e*n*(1+Number.EPSILON);return e1(o)/n}var Lt=new Map;function Ll(e){return((""+e).split(".")[1]||"").length}function yo(e,t,n,o){let r=[],i=o.map(Ll);for(let l=t;l<n;l++){let a=t1(l),d=Re(Ln(e,l),a);for(let u=0;u<o.length;u++){let f=e==10?+`${o[u]}e${l}`:o[u]*d,g=(l>=0?0:a)+(l>=i[u]?0:i[u]),b=e==10?f:Re(f,g);r.push(b),Lt.set(b,g)}}return r}var bo={},Ir=[],Nn=[null,null],$t=Array.isArray,Nl=Number.isInteger,I0=e=>e===void 0;function il(e){return typeof e=="string"}function l2(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function V0(e){return e!=null&&typeof e=="object"}var W0=Object.getPrototypeOf(Uint8Array),ql="__proto__";function qn(e,t=l2){let n;if($t(e)){let o=e.find(r=>r!=null);if($t(o)||t(o)){n=Array(e.length);for(let r=0;r<e.length;r++)n[r]=qn(e[r],t)}else n=e.slice()}else if(e instanceof W0)n=e.slice();else if(t(e)){n={};for(let o in e)o!=ql&&(n[o]=qn(e[o],t))}else n=e;return n}function Ke(e){let t=arguments;for(let n=1;n<t.length;n++){let o=t[n];for(let r in o)r!=ql&&(l2(e[r])?Ke(e[r],qn(o[r])):e[r]=qn(o[r]))}return e}var H0=0,z0=1,U0=2;function j0(e,t,n){for(let o=0,r,i=-1;o<t.length;o++){let l=t[o];if(l>i){for(r=l-1;r>=0&&e[r]==null;)e[r--]=null;for(r=l+1;r<n&&e[r]==null;)e[i=r++]=null}}}function B0(e,t){if(G0(e)){let l=e[0].slice();for(let a=1;a<e.length;a++)l.push(...e[a].slice(1));return Y0(l[0])||(l=Q0(l)),l}let n=new Set;for(let l=0;l<e.length;l++){let d=e[l][0],u=d.length;for(let f=0;f<u;f++)n.add(d[f])}let o=[Array.from(n).sort((l,a)=>l-a)],r=o[0].length,i=new Map;for(let l=0;l<r;l++)i.set(o[0][l],l);for(let l=0;l<e.length;l++){let a=e[l],d=a[0];for(let u=1;u<a.length;u++){let f=a[u],g=Array(r).fill(void 0),b=t?t[l][u]:z0,m=[];for(let _=0;_<f.length;_++){let M=f[_],w=i.get(d[_]);M===null?b!=H0&&(g[w]=M,b==U0&&m.push(w)):g[w]=M}j0(g,m,r),o.push(g)}}return o}var K0=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function Q0(e){let t=e[0],n=t.length,o=Array(n);for(let i=0;i<o.length;i++)o[i]=i;o.sort((i,l)=>t[i]-t[l]);let r=[];for(let i=0;i<e.length;i++){let l=e[i],a=Array(n);for(let d=0;d<n;d++)a[d]=l[o[d]];r.push(a)}return r}function G0(e){let t=e[0][0],n=t.length;for(let o=1;o<e.length;o++){let r=e[o][0];if(r.length!=n)return!1;if(r!=t){for(let i=0;i<n;i++)if(r[i]!=t[i])return!1}}return!0}function Y0(e,t=100){let n=e.length;if(n<=1)return!0;let o=0,r=n-1;for(;o<=r&&e[o]==null;)o++;for(;r>=o&&e[r]==null;)r--;if(r<=o)return!0;let i=y1(1,O1((r-o+1)/t));for(let l=e[o],a=o+i;a<=r;a+=i){let d=e[a];if(d!=null){if(d<=l)return!1;l=d}}return!0}var Fl=["January","February","March","April","May","June","July","August","September","October","November","December"],Il=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Vl(e){return e.slice(0,3)}var J0=Il.map(Vl),Z0=Fl.map(Vl),X0={MMMM:Fl,MMM:Z0,WWWW:Il,WWW:J0};function po(e){return(e<10?"0":"")+e}function e4(e){return(e<10?"00":e<100?"0":"")+e}var t4={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>po(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>po(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>po(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>po(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>po(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>e4(e.getMilliseconds())};function Vr(e,t){t=t||X0;let n=[],o=/\{([a-z]+)\}|[^{]+/gi,r;for(;r=o.exec(e);)n.push(r[0][0]=="{"?t4[r[1]]:r[0]);return i=>{let l="";for(let a=0;a<n.length;a++)l+=typeof n[a]=="string"?n[a]:n[a](i,t);return l}}var n4=new Intl.DateTimeFormat().resolvedOptions().timeZone;function o4(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==n4?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var Wl=e=>e%1==0,o2=[1,2,2.5,5],r4=yo(10,-32,0,o2),Hl=yo(10,0,32,o2),s4=Hl.filter(Wl),tn=r4.concat(Hl),Wr=`
`,zl="{YYYY}",ll=Wr+zl,Ul="{M}/{D}",go=Wr+Ul,Zo=go+"/{YY}",jl="{aa}",i4="{h}:{mm}",Dn=i4+jl,al=Wr+Dn,ul=":{ss}",Se=null;function Bl(e){let t=e*1e3,n=t*60,o=n*60,r=o*24,i=r*30,l=r*365,d=(e==1?yo(10,0,3,o2).filter(Wl):yo(10,-3,0,o2)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,o,o*2,o*3,o*4,o*6,o*8,o*12,r,r*2,r*3,r*4,r*5,r*6,r*7,r*8,r*9,r*10,r*15,i,i*2,i*3,i*4,i*6,l,l*2,l*5,l*10,l*25,l*50,l*100]),u=[[l,zl,Se,Se,Se,Se,Se,Se,1],[r*28,"{MMM}",ll,Se,Se,Se,Se,Se,1],[r,Ul,ll,Se,Se,Se,Se,Se,1],[o,"{h}"+jl,Zo,Se,go,Se,Se,Se,1],[n,Dn,Zo,Se,go,Se,Se,Se,1],[t,ul,Zo+" "+Dn,Se,go+" "+Dn,Se,al,Se,1],[e,ul+".{fff}",Zo+" "+Dn,Se,go+" "+Dn,Se,al,Se,1]];function f(g){return(b,m,_,M,w,T)=>{let x=[],S=w>=l,P=w>=i&&w<l,z=g(_),L=Re(z*e,3),ne=wr(z.getFullYear(),S?0:z.getMonth(),P||S?1:z.getDate()),O=Re(ne*e,3);if(P||S){let J=P?w/i:0,K=S?w/l:0,E=L==O?L:Re(wr(ne.getFullYear()+K,ne.getMonth()+J,1)*e,3),Q=new Date(e1(E/e)),N=Q.getFullYear(),ee=Q.getMonth();for(let Y=0;E<=M;Y++){let de=wr(N+K*Y,ee+J*Y,1),G=de-g(Re(de*e,3));E=Re((+de+G)*e,3),E<=M&&x.push(E)}}else{let J=w>=r?r:w,K=O1(_)-O1(L),E=O+K+i2(L-O,J);x.push(E);let Q=g(E),N=Q.getHours()+Q.getMinutes()/n+Q.getSeconds()/o,ee=w/o,Y=b.axes[m]._space,de=T/Y;for(;E=Re(E+w,e==1?0:3),!(E>M);)if(ee>1){let G=O1(Re(N+ee,6))%24,ge=g(E).getHours()-G;ge>1&&(ge=-1),E-=ge*o,N=(N+ee)%24;let Te=x[x.length-1];Re((E-Te)/w,3)*de>=.7&&x.push(E)}else x.push(E)}return x}}return[d,u,f]}var[l4,a4,u4]=Bl(1),[c4,d4,f4]=Bl(.001);yo(2,-53,53,[1]);function cl(e,t){return e.map(n=>n.map((o,r)=>r==0||r==8||o==null?o:t(r==1||n[8]==0?o:n[1]+o)))}function dl(e,t){return(n,o,r,i,l)=>{let a=t.find(_=>l>=_[0])||t[t.length-1],d,u,f,g,b,m;return o.map(_=>{let M=e(_),w=M.getFullYear(),T=M.getMonth(),x=M.getDate(),S=M.getHours(),P=M.getMinutes(),z=M.getSeconds(),L=w!=d&&a[2]||T!=u&&a[3]||x!=f&&a[4]||S!=g&&a[5]||P!=b&&a[6]||z!=m&&a[7]||a[1];return d=w,u=T,f=x,g=S,b=P,m=z,L(M)})}}function p4(e,t){let n=Vr(t);return(o,r,i,l,a)=>r.map(d=>n(e(d)))}function wr(e,t,n){return new Date(e,t,n)}function fl(e,t){return t(e)}var m4="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function pl(e,t){return(n,o,r,i)=>i==null?$r:t(e(o))}function h4(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function g4(e,t){return e.series[t].fill(e,t)}var v4={show:!0,live:!0,isolate:!1,mount:N0,markers:{show:!0,width:2,stroke:h4,fill:g4,dash:"solid"},idx:null,idxs:null,values:[]};function b4(e,t){let n=e.cursor.points,o=H1(),r=n.size(e,t);Le(o,mo,r),Le(o,ho,r);let i=r/-2;Le(o,"marginLeft",i),Le(o,"marginTop",i);let l=n.width(e,t,r);return l&&Le(o,"borderWidth",l),o}function y4(e,t){let n=e.series[t].points;return n._fill||n._stroke}function w4(e,t){let n=e.series[t].points;return n._stroke||n._fill}function _4(e,t){return e.series[t].points.size}var _r=[0,0];function x4(e,t,n){return _r[0]=t,_r[1]=n,_r}function Xo(e,t,n,o=!0){return r=>{r.button==0&&(!o||r.target==t)&&n(r)}}function xr(e,t,n,o=!0){return r=>{(!o||r.target==t)&&n(r)}}var k4={show:!0,x:!0,y:!0,lock:!1,move:x4,points:{one:!1,show:b4,size:_4,width:0,stroke:w4,fill:y4},bind:{mousedown:Xo,mouseup:Xo,click:Xo,dblclick:Xo,mousemove:xr,mouseleave:xr,mouseenter:xr},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,o,r)=>o-r,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Kl={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Hr=Ke({},Kl,{filter:Dl}),Ql=Ke({},Hr,{size:10}),Gl=Ke({},Kl,{show:!1}),zr='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Yl="bold "+zr,Jl=1.5,ml={show:!0,scale:"x",stroke:Dr,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Yl,side:2,grid:Hr,ticks:Ql,border:Gl,font:zr,lineGap:Jl,rotate:0},S4="Value",P4="Time",hl={show:!0,scale:"x",auto:!1,sorted:1,min:Ce,max:-Ce,idxs:[]};function T4(e,t,n,o,r){return t.map(i=>i==null?"":Fr(i))}function M4(e,t,n,o,r,i,l){let a=[],d=Lt.get(r)||0;n=l?n:Re(i2(n,r),d);for(let u=n;u<=o;u=Re(u+r,d))a.push(Object.is(u,-0)?0:u);return a}function Cr(e,t,n,o,r,i,l){let a=[],d=e.scales[e.axes[t].scale].log,u=d==10?xt:El,f=O1(u(n));r=Ln(d,f),d==10&&(r=tn[Z1(r,tn)]);let g=n,b=r*d;d==10&&(b=tn[Z1(b,tn)]);do a.push(g),g=g+r,d==10&&!Lt.has(g)&&(g=Re(g,Lt.get(r))),g>=b&&(r=g,b=r*d,d==10&&(b=tn[Z1(b,tn)]));while(g<=o);return a}function C4(e,t,n,o,r,i,l){let d=e.scales[e.axes[t].scale].asinh,u=o>d?Cr(e,t,y1(d,n),o,r):[d],f=o>=0&&n<=0?[0]:[];return(n<-d?Cr(e,t,y1(d,-o),-n,r):[d]).reverse().map(b=>-b).concat(f,u)}var Zl=/./,R4=/[12357]/,E4=/[125]/,gl=/1/,Rr=(e,t,n,o)=>e.map((r,i)=>t==4&&r==0||i%o==0&&n.test(r.toExponential()[r<0?1:0])?r:null);function O4(e,t,n,o,r){let i=e.axes[n],l=i.scale,a=e.scales[l],d=e.valToPos,u=i._space,f=d(10,l),g=d(9,l)-f>=u?Zl:d(7,l)-f>=u?R4:d(5,l)-f>=u?E4:gl;if(g==gl){let b=t1(d(1,l)-f);if(b<u)return Rr(t.slice().reverse(),a.distr,g,z1(u/b)).reverse()}return Rr(t,a.distr,g,1)}function A4(e,t,n,o,r){let i=e.axes[n],l=i.scale,a=i._space,d=e.valToPos,u=t1(d(1,l)-d(2,l));return u<a?Rr(t.slice().reverse(),3,Zl,z1(a/u)).reverse():t}function D4(e,t,n,o){return o==null?$r:t==null?"":Fr(t)}var vl={show:!0,scale:"y",stroke:Dr,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Yl,side:3,grid:Hr,ticks:Ql,border:Gl,font:zr,lineGap:Jl,rotate:0};function $4(e,t){let n=3+(e||1)*2;return Re(n*t,3)}function L4(e,t){let{scale:n,idxs:o}=e.series[0],r=e._data[0],i=e.valToPos(r[o[0]],n,!0),l=e.valToPos(r[o[1]],n,!0),a=t1(l-i),d=e.series[t],u=a/(d.points.space*xe);return o[1]-o[0]<=u}var bl={scale:null,auto:!0,sorted:0,min:Ce,max:-Ce},Xl=(e,t,n,o,r)=>r,yl={show:!0,auto:!0,sorted:0,gaps:Xl,alpha:1,facets:[Ke({},bl,{scale:"x"}),Ke({},bl,{scale:"y"})]},wl={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Xl,alpha:1,points:{show:L4,filter:null},values:null,min:Ce,max:-Ce,idxs:[],path:null,clip:null};function N4(e,t,n,o,r){return n/10}var ea={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},q4=Ke({},ea,{time:!1,ori:1}),_l={};function ta(e,t){let n=_l[e];return n||(n={key:e,plots:[],sub(o){n.plots.push(o)},unsub(o){n.plots=n.plots.filter(r=>r!=o)},pub(o,r,i,l,a,d,u){for(let f=0;f<n.plots.length;f++)n.plots[f]!=r&&n.plots[f].pub(o,r,i,l,a,d,u)}},e!=null&&(_l[e]=n)),n}var Fn=1,Er=2;function sn(e,t,n){let o=e.mode,r=e.series[t],i=o==2?e._data[t]:e._data,l=e.scales,a=e.bbox,d=i[0],u=o==2?i[1]:i[t],f=o==2?l[r.facets[0].scale]:l[e.series[0].scale],g=o==2?l[r.facets[1].scale]:l[r.scale],b=a.left,m=a.top,_=a.width,M=a.height,w=e.valToPosH,T=e.valToPosV;return f.ori==0?n(r,d,u,f,g,w,T,b,m,_,M,u2,Vn,d2,oa,sa):n(r,d,u,f,g,T,w,m,b,M,_,c2,Wn,Br,ra,ia)}function Ur(e,t){let n=0,o=0,r=ye(e.bands,Ir);for(let i=0;i<r.length;i++){let l=r[i];l.series[0]==t?n=l.dir:l.series[1]==t&&(l.dir==1?o|=1:o|=2)}return[n,o==1?-1:o==2?1:o==3?2:0]}function F4(e,t,n,o,r){let i=e.mode,l=e.series[t],a=i==2?l.facets[1].scale:l.scale,d=e.scales[a];return r==-1?d.min:r==1?d.max:d.distr==3?d.dir==1?d.min:d.max:0}function kt(e,t,n,o,r,i){return sn(e,t,(l,a,d,u,f,g,b,m,_,M,w)=>{let T=l.pxRound,x=u.dir*(u.ori==0?1:-1),S=u.ori==0?Vn:Wn,P,z;x==1?(P=n,z=o):(P=o,z=n);let L=T(g(a[P],u,M,m)),ne=T(b(d[P],f,w,_)),O=T(g(a[z],u,M,m)),J=T(b(i==1?f.max:f.min,f,w,_)),K=new Path2D(r);return S(K,O,J),S(K,L,J),S(K,L,ne),K})}function a2(e,t,n,o,r,i){let l=null;if(e.length>0){l=new Path2D;let a=t==0?d2:Br,d=n;for(let g=0;g<e.length;g++){let b=e[g];if(b[1]>b[0]){let m=b[0]-d;m>0&&a(l,d,o,m,o+i),d=b[1]}}let u=n+r-d,f=10;u>0&&a(l,d,o-f/2,u,o+i+f)}return l}function I4(e,t,n){let o=e[e.length-1];o&&o[0]==t?o[1]=n:e.push([t,n])}function jr(e,t,n,o,r,i,l){let a=[],d=e.length;for(let u=r==1?n:o;u>=n&&u<=o;u+=r)if(t[u]===null){let g=u,b=u;if(r==1)for(;++u<=o&&t[u]===null;)b=u;else for(;--u>=n&&t[u]===null;)b=u;let m=i(e[g]),_=b==g?m:i(e[b]),M=g-r;m=l<=0&&M>=0&&M<d?i(e[M]):m;let T=b+r;_=l>=0&&T>=0&&T<d?i(e[T]):_,_>=m&&a.push([m,_])}return a}function xl(e){return e==0?Al:e==1?e1:t=>en(t,e)}function na(e){let t=e==0?u2:c2,n=e==0?(r,i,l,a,d,u)=>{r.arcTo(i,l,a,d,u)}:(r,i,l,a,d,u)=>{r.arcTo(l,i,d,a,u)},o=e==0?(r,i,l,a,d)=>{r.rect(i,l,a,d)}:(r,i,l,a,d)=>{r.rect(l,i,d,a)};return(r,i,l,a,d,u=0,f=0)=>{u==0&&f==0?o(r,i,l,a,d):(u=X1(u,a/2,d/2),f=X1(f,a/2,d/2),t(r,i+u,l),n(r,i+a,l,i+a,l+d,u),n(r,i+a,l+d,i,l+d,f),n(r,i,l+d,i,l,f),n(r,i,l,i+a,l,u),r.closePath())}}var u2=(e,t,n)=>{e.moveTo(t,n)},c2=(e,t,n)=>{e.moveTo(n,t)},Vn=(e,t,n)=>{e.lineTo(t,n)},Wn=(e,t,n)=>{e.lineTo(n,t)},d2=na(0),Br=na(1),oa=(e,t,n,o,r,i)=>{e.arc(t,n,o,r,i)},ra=(e,t,n,o,r,i)=>{e.arc(n,t,o,r,i)},sa=(e,t,n,o,r,i,l)=>{e.bezierCurveTo(t,n,o,r,i,l)},ia=(e,t,n,o,r,i,l)=>{e.bezierCurveTo(n,t,r,o,l,i)};function la(e){return(t,n,o,r,i)=>sn(t,n,(l,a,d,u,f,g,b,m,_,M,w)=>{let{pxRound:T,points:x}=l,S,P;u.ori==0?(S=u2,P=oa):(S=c2,P=ra);let z=Re(x.width*xe,3),L=(x.size-x.width)/2*xe,ne=Re(L*2,3),O=new Path2D,J=new Path2D,{left:K,top:E,width:Q,height:N}=t.bbox;d2(J,K-ne,E-ne,Q+ne*2,N+ne*2);let ee=Y=>{if(d[Y]!=null){let de=T(g(a[Y],u,M,m)),G=T(b(d[Y],f,w,_));S(O,de+L,G),P(O,de,G,L,0,e2*2)}};if(i)i.forEach(ee);else for(let Y=o;Y<=r;Y++)ee(Y);return{stroke:z>0?O:null,fill:O,clip:J,flags:Fn|Er}})}function aa(e){return(t,n,o,r,i,l)=>{o!=r&&(i!=o&&l!=o&&e(t,n,o),i!=r&&l!=r&&e(t,n,r),e(t,n,l))}}var V4=aa(Vn),W4=aa(Wn);function ua(e){let t=ye(e?.alignGaps,0);return(n,o,r,i)=>sn(n,o,(l,a,d,u,f,g,b,m,_,M,w)=>{[r,i]=r2(d,r,i);let T=l.pxRound,x=N=>T(g(N,u,M,m)),S=N=>T(b(N,f,w,_)),P,z;u.ori==0?(P=Vn,z=V4):(P=Wn,z=W4);let L=u.dir*(u.ori==0?1:-1),ne={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Fn},O=ne.stroke,J=!1;if(i-r>=M*4){let N=j=>n.posToVal(j,u.key,!0),ee=null,Y=null,de,G,_1,Ne=x(a[L==1?r:i]),ge=x(a[r]),Te=x(a[i]),le=N(L==1?ge+1:Te-1);for(let j=L==1?r:i;j>=r&&j<=i;j+=L){let Qe=a[j],qe=(L==1?Qe<le:Qe>le)?Ne:x(Qe),ke=d[j];qe==Ne?ke!=null?(G=ke,ee==null?(P(O,qe,S(G)),de=ee=Y=G):G<ee?ee=G:G>Y&&(Y=G)):ke===null&&(J=!0):(ee!=null&&z(O,Ne,S(ee),S(Y),S(de),S(G)),ke!=null?(G=ke,P(O,qe,S(G)),ee=Y=de=G):(ee=Y=null,ke===null&&(J=!0)),Ne=qe,le=N(Ne+L))}ee!=null&&ee!=Y&&_1!=Ne&&z(O,Ne,S(ee),S(Y),S(de),S(G))}else for(let N=L==1?r:i;N>=r&&N<=i;N+=L){let ee=d[N];ee===null?J=!0:ee!=null&&P(O,x(a[N]),S(ee))}let[E,Q]=Ur(n,o);if(l.fill!=null||E!=0){let N=ne.fill=new Path2D(O),ee=l.fillTo(n,o,l.min,l.max,E),Y=S(ee),de=x(a[r]),G=x(a[i]);L==-1&&([G,de]=[de,G]),P(N,G,Y),P(N,de,Y)}if(!l.spanGaps){let N=[];J&&N.push(...jr(a,d,r,i,L,x,t)),ne.gaps=N=l.gaps(n,o,r,i,N),ne.clip=a2(N,u.ori,m,_,M,w)}return Q!=0&&(ne.band=Q==2?[kt(n,o,r,i,O,-1),kt(n,o,r,i,O,1)]:kt(n,o,r,i,O,Q)),ne})}function H4(e){let t=ye(e.align,1),n=ye(e.ascDesc,!1),o=ye(e.alignGaps,0),r=ye(e.extend,!1);return(i,l,a,d)=>sn(i,l,(u,f,g,b,m,_,M,w,T,x,S)=>{[a,d]=r2(g,a,d);let P=u.pxRound,{left:z,width:L}=i.bbox,ne=ge=>P(_(ge,b,x,w)),O=ge=>P(M(ge,m,S,T)),J=b.ori==0?Vn:Wn,K={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Fn},E=K.stroke,Q=b.dir*(b.ori==0?1:-1),N=O(g[Q==1?a:d]),ee=ne(f[Q==1?a:d]),Y=ee,de=ee;r&&t==-1&&(de=z,J(E,de,N)),J(E,ee,N);for(let ge=Q==1?a:d;ge>=a&&ge<=d;ge+=Q){let Te=g[ge];if(Te==null)continue;let le=ne(f[ge]),j=O(Te);t==1?J(E,le,N):J(E,Y,j),J(E,le,j),N=j,Y=le}let G=Y;r&&t==1&&(G=z+L,J(E,G,N));let[_1,Ne]=Ur(i,l);if(u.fill!=null||_1!=0){let ge=K.fill=new Path2D(E),Te=u.fillTo(i,l,u.min,u.max,_1),le=O(Te);J(ge,G,le),J(ge,de,le)}if(!u.spanGaps){let ge=[];ge.push(...jr(f,g,a,d,Q,ne,o));let Te=u.width*xe/2,le=n||t==1?Te:-Te,j=n||t==-1?-Te:Te;ge.forEach(Qe=>{Qe[0]+=le,Qe[1]+=j}),K.gaps=ge=u.gaps(i,l,a,d,ge),K.clip=a2(ge,b.ori,w,T,x,S)}return Ne!=0&&(K.band=Ne==2?[kt(i,l,a,d,E,-1),kt(i,l,a,d,E,1)]:kt(i,l,a,d,E,Ne)),K})}function kl(e,t,n,o,r,i,l=Ce){if(e.length>1){let a=null;for(let d=0,u=1/0;d<e.length;d++)if(t[d]!==void 0){if(a!=null){let f=t1(e[d]-e[a]);f<u&&(u=f,l=t1(n(e[d],o,r,i)-n(e[a],o,r,i)))}a=d}}return l}function z4(e){e=e||bo;let t=ye(e.size,[.6,Ce,1]),n=e.align||0,o=e.gap||0,r=e.radius;r=r==null?[0,0]:typeof r=="number"?[r,0]:r;let i=ce(r),l=1-t[0],a=ye(t[1],Ce),d=ye(t[2],1),u=ye(e.disp,bo),f=ye(e.each,m=>{}),{fill:g,stroke:b}=u;return(m,_,M,w)=>sn(m,_,(T,x,S,P,z,L,ne,O,J,K,E)=>{let Q=T.pxRound,N=n,ee=o*xe,Y=a*xe,de=d*xe,G,_1;P.ori==0?[G,_1]=i(m,_):[_1,G]=i(m,_);let Ne=P.dir*(P.ori==0?1:-1),ge=P.ori==0?d2:Br,Te=P.ori==0?f:(V,Ee,Ge,fn,Ht,nt,zt)=>{f(V,Ee,Ge,Ht,fn,zt,nt)},le=ye(m.bands,Ir).find(V=>V.series[0]==_),j=le!=null?le.dir:0,Qe=T.fillTo(m,_,T.min,T.max,j),p1=Q(ne(Qe,z,E,J)),qe,ke,j1,S1=K,We=Q(T.width*xe),tt=!1,ht=null,L1=null,Pt=null,un=null;g!=null&&(We==0||b!=null)&&(tt=!0,ht=g.values(m,_,M,w),L1=new Map,new Set(ht).forEach(V=>{V!=null&&L1.set(V,new Path2D)}),We>0&&(Pt=b.values(m,_,M,w),un=new Map,new Set(Pt).forEach(V=>{V!=null&&un.set(V,new Path2D)})));let{x0:cn,size:Gn}=u;if(cn!=null&&Gn!=null){N=1,x=cn.values(m,_,M,w),cn.unit==2&&(x=x.map(Ge=>m.posToVal(O+Ge*K,P.key,!0)));let V=Gn.values(m,_,M,w);Gn.unit==2?ke=V[0]*K:ke=L(V[0],P,K,O)-L(0,P,K,O),S1=kl(x,S,L,P,K,O,S1),j1=S1-ke+ee}else S1=kl(x,S,L,P,K,O,S1),j1=S1*l+ee,ke=S1-j1;j1<1&&(j1=0),We>=ke/2&&(We=0),j1<5&&(Q=Al);let So=j1>0,Vt=S1-j1-(So?We:0);ke=Q(Mr(Vt,de,Y)),qe=(N==0?ke/2:N==Ne?0:ke)-N*Ne*((N==0?ee/2:0)+(So?We/2:0));let m1={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},dn=tt?null:new Path2D,gt=null;if(le!=null)gt=m.data[le.series[1]];else{let{y0:V,y1:Ee}=u;V!=null&&Ee!=null&&(S=Ee.values(m,_,M,w),gt=V.values(m,_,M,w))}let Wt=G*ke,ie=_1*ke;for(let V=Ne==1?M:w;V>=M&&V<=w;V+=Ne){let Ee=S[V];if(Ee==null)continue;if(gt!=null){let x1=gt[V]??0;if(Ee-x1==0)continue;p1=ne(x1,z,E,J)}let Ge=P.distr!=2||u!=null?x[V]:V,fn=L(Ge,P,K,O),Ht=ne(ye(Ee,Qe),z,E,J),nt=Q(fn-qe),zt=Q(y1(Ht,p1)),P1=Q(X1(Ht,p1)),N1=zt-P1;if(Ee!=null){let x1=Ee<0?ie:Wt,B1=Ee<0?Wt:ie;tt?(We>0&&Pt[V]!=null&&ge(un.get(Pt[V]),nt,P1+O1(We/2),ke,y1(0,N1-We),x1,B1),ht[V]!=null&&ge(L1.get(ht[V]),nt,P1+O1(We/2),ke,y1(0,N1-We),x1,B1)):ge(dn,nt,P1+O1(We/2),ke,y1(0,N1-We),x1,B1),Te(m,_,V,nt-We/2,P1,ke+We,N1)}}return We>0?m1.stroke=tt?un:dn:tt||(m1._fill=T.width==0?T._fill:T._stroke??T._fill,m1.width=0),m1.fill=tt?L1:dn,m1})}function U4(e,t){let n=ye(t?.alignGaps,0);return(o,r,i,l)=>sn(o,r,(a,d,u,f,g,b,m,_,M,w,T)=>{[i,l]=r2(u,i,l);let x=a.pxRound,S=G=>x(b(G,f,w,_)),P=G=>x(m(G,g,T,M)),z,L,ne;f.ori==0?(z=u2,ne=Vn,L=sa):(z=c2,ne=Wn,L=ia);let O=f.dir*(f.ori==0?1:-1),J=S(d[O==1?i:l]),K=J,E=[],Q=[];for(let G=O==1?i:l;G>=i&&G<=l;G+=O)if(u[G]!=null){let Ne=d[G],ge=S(Ne);E.push(K=ge),Q.push(P(u[G]))}let N={stroke:e(E,Q,z,ne,L,x),fill:null,clip:null,band:null,gaps:null,flags:Fn},ee=N.stroke,[Y,de]=Ur(o,r);if(a.fill!=null||Y!=0){let G=N.fill=new Path2D(ee),_1=a.fillTo(o,r,a.min,a.max,Y),Ne=P(_1);ne(G,K,Ne),ne(G,J,Ne)}if(!a.spanGaps){let G=[];G.push(...jr(d,u,i,l,O,S,n)),N.gaps=G=a.gaps(o,r,i,l,G),N.clip=a2(G,f.ori,_,M,w,T)}return de!=0&&(N.band=de==2?[kt(o,r,i,l,ee,-1),kt(o,r,i,l,ee,1)]:kt(o,r,i,l,ee,de)),N})}function j4(e){return U4(B4,e)}function B4(e,t,n,o,r,i){let l=e.length;if(l<2)return null;let a=new Path2D;if(n(a,e[0],t[0]),l==2)o(a,e[1],t[1]);else{let d=Array(l),u=Array(l-1),f=Array(l-1),g=Array(l-1);for(let b=0;b<l-1;b++)f[b]=t[b+1]-t[b],g[b]=e[b+1]-e[b],u[b]=f[b]/g[b];d[0]=u[0];for(let b=1;b<l-1;b++)u[b]===0||u[b-1]===0||u[b-1]>0!=u[b]>0?d[b]=0:(d[b]=3*(g[b-1]+g[b])/((2*g[b]+g[b-1])/u[b-1]+(g[b]+2*g[b-1])/u[b]),isFinite(d[b])||(d[b]=0));d[l-1]=u[l-2];for(let b=0;b<l-1;b++)r(a,e[b]+g[b]/3,t[b]+d[b]*g[b]/3,e[b+1]-g[b]/3,t[b+1]-d[b+1]*g[b]/3,e[b+1],t[b+1])}return a}var Or=new Set;function Sl(){for(let e of Or)e.syncRect(!0)}In&&(on(T0,$n,Sl),on(M0,$n,Sl,!0),on(t2,$n,()=>{n1.pxRatio=xe}));var K4=ua(),Q4=la();function Pl(e,t,n,o){return(o?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((i,l)=>Ar(i,l,t,n))}function G4(e,t){return e.map((n,o)=>o==0?{}:Ke({},t,n))}function Ar(e,t,n,o){return Ke({},t==0?n:o,e)}function ca(e,t,n){return t==null?Nn:[t,n]}var Y4=ca;function J4(e,t,n){return t==null?Nn:n2(t,n,qr,!0)}function da(e,t,n,o){return t==null?Nn:s2(t,n,e.scales[o].log,!1)}var Z4=da;function fa(e,t,n,o){return t==null?Nn:Nr(t,n,e.scales[o].log,!1)}var X4=fa;function ec(e,t,n,o,r){let i=y1(ol(e),ol(t)),l=t-e,a=Z1(r/o*l,n);do{let d=n[a],u=o*d/l;if(u>=r&&i+(d<5?Lt.get(d):0)<=17)return[d,u]}while(++a<n.length);return[0,0]}function Tl(e){let t,n;return e=e.replace(/(\d+)px/,(o,r)=>(t=e1((n=+r)*xe))+"px"),[e,t,n]}function tc(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=Re(t[2]*xe,1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function n1(e,t,n){let o={mode:ye(e.mode,1)},r=o.mode;function i(c,p,h,v){let y=p.valToPct(c);return v+h*(p.dir==-1?1-y:y)}function l(c,p,h,v){let y=p.valToPct(c);return v+h*(p.dir==-1?y:1-y)}function a(c,p,h,v){return p.ori==0?i(c,p,h,v):l(c,p,h,v)}o.valToPosH=i,o.valToPosV=l;let d=!1;o.status=0;let u=o.root=H1(a0);if(e.id!=null&&(u.id=e.id),E1(u,e.class),e.title){let c=H1(d0,u);c.textContent=e.title}let f=J1("canvas"),g=o.ctx=f.getContext("2d"),b=H1(f0,u);on("click",b,c=>{c.target===_&&(Ae!=kn||Fe!=Sn)&&d1.click(o,c)},!0);let m=o.under=H1(p0,b);b.appendChild(f);let _=o.over=H1(m0,b);e=qn(e);let M=+ye(e.pxAlign,1),w=xl(M);(e.plugins||[]).forEach(c=>{c.opts&&(e=c.opts(o,e)||e)});let T=e.ms||.001,x=o.series=r==1?Pl(e.series||[],hl,wl,!1):G4(e.series||[null],yl),S=o.axes=Pl(e.axes||[],ml,vl,!0),P=o.scales={},z=o.bands=e.bands||[];z.forEach(c=>{c.fill=ce(c.fill||null),c.dir=ye(c.dir,-1)});let L=r==2?x[1].facets[0].scale:x[0].scale,ne={axes:du,series:iu},O=(e.drawOrder||["axes","series"]).map(c=>ne[c]);function J(c){let p=c.distr==3?h=>xt(h>0?h:c.clamp(o,h,c.min,c.max,c.key)):c.distr==4?h=>yr(h,c.asinh):c.distr==100?h=>c.fwd(h):h=>h;return h=>{let v=p(h),{_min:y,_max:k}=c,C=k-y;return(v-y)/C}}function K(c){let p=P[c];if(p==null){let h=(e.scales||bo)[c]||bo;if(h.from!=null){K(h.from);let v=Ke({},P[h.from],h,{key:c});v.valToPct=J(v),P[c]=v}else{p=P[c]=Ke({},c==L?ea:q4,h),p.key=c;let v=p.time,y=p.range,k=$t(y);if((c!=L||r==2&&!v)&&(k&&(y[0]==null||y[1]==null)&&(y={min:y[0]==null?el:{mode:1,hard:y[0],soft:y[0]},max:y[1]==null?el:{mode:1,hard:y[1],soft:y[1]}},k=!1),!k&&l2(y))){let C=y;y=(R,A,F)=>A==null?Nn:n2(A,F,C)}p.range=ce(y||(v?Y4:c==L?p.distr==3?Z4:p.distr==4?X4:ca:p.distr==3?da:p.distr==4?fa:J4)),p.auto=ce(k?!1:p.auto),p.clamp=ce(p.clamp||N4),p._min=p._max=null,p.valToPct=J(p)}}}K("x"),K("y"),r==1&&x.forEach(c=>{K(c.scale)}),S.forEach(c=>{K(c.scale)});for(let c in e.scales)K(c);let E=P[L],Q=E.distr,N,ee;E.ori==0?(E1(u,u0),N=i,ee=l):(E1(u,c0),N=l,ee=i);let Y={};for(let c in P){let p=P[c];(p.min!=null||p.max!=null)&&(Y[c]={min:p.min,max:p.max},p.min=p.max=null)}let de=e.tzDate||(c=>new Date(e1(c/T))),G=e.fmtDate||Vr,_1=T==1?u4(de):f4(de),Ne=dl(de,cl(T==1?a4:d4,G)),ge=pl(de,fl(m4,G)),Te=[],le=o.legend=Ke({},v4,e.legend),j=o.cursor=Ke({},k4,{drag:{y:r==2}},e.cursor),Qe=le.show,p1=j.show,qe=le.markers;le.idxs=Te,qe.width=ce(qe.width),qe.dash=ce(qe.dash),qe.stroke=ce(qe.stroke),qe.fill=ce(qe.fill);let ke,j1,S1,We=[],tt=[],ht,L1=!1,Pt={};if(le.live){let c=x[1]?x[1].values:null;L1=c!=null,ht=L1?c(o,1,0):{_:0};for(let p in ht)Pt[p]=$r}if(Qe)if(ke=J1("table",w0,u),S1=J1("tbody",null,ke),le.mount(o,ke),L1){j1=J1("thead",null,ke,S1);let c=J1("tr",null,j1);J1("th",null,c);for(var un in ht)J1("th",Wi,c).textContent=un}else E1(ke,x0),le.live&&E1(ke,_0);let cn={show:!0},Gn={show:!1};function So(c,p){if(p==0&&(L1||!le.live||r==2))return Nn;let h=[],v=J1("tr",k0,S1,S1.childNodes[p]);E1(v,c.class),c.show||E1(v,nn);let y=J1("th",null,v);if(qe.show){let R=H1(S0,y);if(p>0){let A=qe.width(o,p);A&&(R.style.border=A+"px "+qe.dash(o,p)+" "+qe.stroke(o,p)),R.style.background=qe.fill(o,p)}}let k=H1(Wi,y);c.label instanceof HTMLElement?k.appendChild(c.label):k.textContent=c.label,p>0&&(qe.show||(k.style.color=c.width>0?qe.stroke(o,p):qe.fill(o,p)),m1("click",y,R=>{if(j._lock)return;jt(R);let A=x.indexOf(c);if((R.ctrlKey||R.metaKey)!=le.isolate){let F=x.some((I,W)=>W>0&&W!=A&&I.show);x.forEach((I,W)=>{W>0&&rt(W,F?W==A?cn:Gn:cn,!0,Ue.setSeries)})}else rt(A,{show:!c.show},!0,Ue.setSeries)},!1),mn&&m1(ji,y,R=>{j._lock||(jt(R),rt(x.indexOf(c),Tn,!0,Ue.setSeries))},!1));for(var C in ht){let R=J1("td",P0,v);R.textContent="--",h.push(R)}return[v,h]}let Vt=new Map;function m1(c,p,h,v=!0){let y=Vt.get(p)||{},k=j.bind[c](o,p,h,v);k&&(on(c,p,y[c]=k),Vt.set(p,y))}function dn(c,p,h){let v=Vt.get(p)||{};for(let y in v)(c==null||y==c)&&(Tr(y,p,v[y]),delete v[y]);c==null&&Vt.delete(p)}let gt=0,Wt=0,ie=0,V=0,Ee=0,Ge=0,fn=Ee,Ht=Ge,nt=ie,zt=V,P1=0,N1=0,x1=0,B1=0;o.bbox={};let C2=!1,Po=!1,pn=!1,Ut=!1,To=!1,q1=!1;function R2(c,p,h){(h||c!=o.width||p!=o.height)&&hs(c,p),yn(!1),pn=!0,Po=!0,wn()}function hs(c,p){o.width=gt=ie=c,o.height=Wt=V=p,Ee=Ge=0,X3(),eu();let h=o.bbox;P1=h.left=en(Ee*xe,.5),N1=h.top=en(Ge*xe,.5),x1=h.width=en(ie*xe,.5),B1=h.height=en(V*xe,.5)}let Y3=3;function J3(){let c=!1,p=0;for(;!c;){p++;let h=uu(p),v=cu(p);c=p==Y3||h&&v,c||(hs(o.width,o.height),Po=!0)}}function Z3({width:c,height:p}){R2(c,p)}o.setSize=Z3;function X3(){let c=!1,p=!1,h=!1,v=!1;S.forEach((y,k)=>{if(y.show&&y._show){let{side:C,_size:R}=y,A=C%2,F=y.label!=null?y.labelSize:0,I=R+F;I>0&&(A?(ie-=I,C==3?(Ee+=I,v=!0):h=!0):(V-=I,C==0?(Ge+=I,c=!0):p=!0))}}),Bt[0]=c,Bt[1]=h,Bt[2]=p,Bt[3]=v,ie-=Tt[1]+Tt[3],Ee+=Tt[3],V-=Tt[2]+Tt[0],Ge+=Tt[0]}function eu(){let c=Ee+ie,p=Ge+V,h=Ee,v=Ge;function y(k,C){switch(k){case 1:return c+=C,c-C;case 2:return p+=C,p-C;case 3:return h-=C,h+C;case 0:return v-=C,v+C}}S.forEach((k,C)=>{if(k.show&&k._show){let R=k.side;k._pos=y(R,k._size),k.label!=null&&(k._lpos=y(R,k.labelSize))}})}if(j.dataIdx==null){let c=j.hover,p=c.skip=new Set(c.skip??[]);p.add(void 0);let h=c.prox=ce(c.prox),v=c.bias??=0;j.dataIdx=(y,k,C,R)=>{if(k==0)return C;let A=C,F=h(y,k,C,R)??Ce,I=F>=0&&F<Ce,W=E.ori==0?ie:V,oe=j.left,_e=t[0],ve=t[k];if(p.has(ve[C])){A=null;let ae=null,te=null,B;if(v==0||v==-1)for(B=C;ae==null&&B-- >0;)p.has(ve[B])||(ae=B);if(v==0||v==1)for(B=C;te==null&&B++<ve.length;)p.has(ve[B])||(te=B);if(ae!=null||te!=null)if(I){let $e=ae==null?-1/0:N(_e[ae],E,W,0),He=te==null?1/0:N(_e[te],E,W,0),a1=oe-$e,Me=He-oe;a1<=Me?a1<=F&&(A=ae):Me<=F&&(A=te)}else A=te==null?ae:ae==null?te:C-ae<=te-C?ae:te}else I&&t1(oe-N(_e[C],E,W,0))>F&&(A=null);return A}}let jt=c=>{j.event=c};j.idxs=Te,j._lock=!1;let f1=j.points;f1.show=ce(f1.show),f1.size=ce(f1.size),f1.stroke=ce(f1.stroke),f1.width=ce(f1.width),f1.fill=ce(f1.fill);let ot=o.focus=Ke({},e.focus||{alpha:.3},j.focus),mn=ot.prox>=0,hn=mn&&f1.one,F1=[],gn=[],vn=[];function gs(c,p){let h=f1.show(o,p);if(h instanceof HTMLElement)return E1(h,y0),E1(h,c.class),dt(h,-10,-10,ie,V),_.insertBefore(h,F1[p]),h}function vs(c,p){if(r==1||p>0){let h=r==1&&P[c.scale].time,v=c.value;c.value=h?il(v)?pl(de,fl(v,G)):v||ge:v||D4,c.label=c.label||(h?P4:S4)}if(hn||p>0){c.width=c.width==null?1:c.width,c.paths=c.paths||K4||q0,c.fillTo=ce(c.fillTo||F4),c.pxAlign=+ye(c.pxAlign,M),c.pxRound=xl(c.pxAlign),c.stroke=ce(c.stroke||null),c.fill=ce(c.fill||null),c._stroke=c._fill=c._paths=c._focus=null;let h=$4(y1(1,c.width),1),v=c.points=Ke({},{size:h,width:y1(1,h*.2),stroke:c.stroke,space:h*2,paths:Q4,_stroke:null,_fill:null},c.points);v.show=ce(v.show),v.filter=ce(v.filter),v.fill=ce(v.fill),v.stroke=ce(v.stroke),v.paths=ce(v.paths),v.pxAlign=c.pxAlign}if(Qe){let h=So(c,p);We.splice(p,0,h[0]),tt.splice(p,0,h[1]),le.values.push(null)}if(p1){Te.splice(p,0,null);let h=null;hn?p==0&&(h=gs(c,p)):p>0&&(h=gs(c,p)),F1.splice(p,0,h),gn.splice(p,0,0),vn.splice(p,0,0)}l1("addSeries",p)}function tu(c,p){p=p??x.length,c=r==1?Ar(c,p,hl,wl):Ar(c,p,{},yl),x.splice(p,0,c),vs(x[p],p)}o.addSeries=tu;function nu(c){if(x.splice(c,1),Qe){le.values.splice(c,1),tt.splice(c,1);let p=We.splice(c,1)[0];dn(null,p.firstChild),p.remove()}p1&&(Te.splice(c,1),F1.splice(c,1)[0].remove(),gn.splice(c,1),vn.splice(c,1)),l1("delSeries",c)}o.delSeries=nu;let Bt=[!1,!1,!1,!1];function ou(c,p){if(c._show=c.show,c.show){let h=c.side%2,v=P[c.scale];v==null&&(c.scale=h?x[1].scale:L,v=P[c.scale]);let y=v.time;c.size=ce(c.size),c.space=ce(c.space),c.rotate=ce(c.rotate),$t(c.incrs)&&c.incrs.forEach(C=>{!Lt.has(C)&&Lt.set(C,Ll(C))}),c.incrs=ce(c.incrs||(v.distr==2?s4:y?T==1?l4:c4:tn)),c.splits=ce(c.splits||(y&&v.distr==1?_1:v.distr==3?Cr:v.distr==4?C4:M4)),c.stroke=ce(c.stroke),c.grid.stroke=ce(c.grid.stroke),c.ticks.stroke=ce(c.ticks.stroke),c.border.stroke=ce(c.border.stroke);let k=c.values;c.values=$t(k)&&!$t(k[0])?ce(k):y?$t(k)?dl(de,cl(k,G)):il(k)?p4(de,k):k||Ne:k||T4,c.filter=ce(c.filter||(v.distr>=3&&v.log==10?O4:v.distr==3&&v.log==2?A4:Dl)),c.font=Tl(c.font),c.labelFont=Tl(c.labelFont),c._size=c.size(o,null,p,0),c._space=c._rotate=c._incrs=c._found=c._splits=c._values=null,c._size>0&&(Bt[p]=!0,c._el=H1(h0,b))}}function Yn(c,p,h,v){let[y,k,C,R]=h,A=p%2,F=0;return A==0&&(R||k)&&(F=p==0&&!y||p==2&&!C?e1(ml.size/3):0),A==1&&(y||C)&&(F=p==1&&!k||p==3&&!R?e1(vl.size/2):0),F}let bs=o.padding=(e.padding||[Yn,Yn,Yn,Yn]).map(c=>ce(ye(c,Yn))),Tt=o._padding=bs.map((c,p)=>c(o,p,Bt,0)),c1,o1=null,r1=null,Mo=r==1?x[0].idxs:null,K1=null,Jn=!1;function ys(c,p){if(t=c??[],o.data=o._data=t,r==2){c1=0;for(let h=1;h<x.length;h++)c1+=t[h][0].length}else{t.length==0&&(o.data=o._data=t=[[]]),K1=t[0],c1=K1.length;let h=t;if(Q==2){h=t.slice();let v=h[0]=Array(c1);for(let y=0;y<c1;y++)v[y]=y}o._data=t=h}if(yn(!0),l1("setData"),Q==2&&(pn=!0),p!==!1){let h=E;h.auto(o,Jn)?E2():Ct(L,h.min,h.max),Ut=Ut||j.left>=0,q1=!0,wn()}}o.setData=ys;function E2(){Jn=!0;let c,p;r==1&&(c1>0?(o1=Mo[0]=0,r1=Mo[1]=c1-1,c=t[0][o1],p=t[0][r1],Q==2?(c=o1,p=r1):c==p&&(Q==3?[c,p]=s2(c,c,E.log,!1):Q==4?[c,p]=Nr(c,c,E.log,!1):E.time?p=c+e1(86400/T):[c,p]=n2(c,p,qr,!0))):(o1=Mo[0]=c=null,r1=Mo[1]=p=null)),Ct(L,c,p)}let Co,bn,O2,A2,D2,$2,L2,N2,q2,k1;function ws(c,p,h,v,y,k){c??=zi,h??=Ir,v??="butt",y??=zi,k??="round",c!=Co&&(g.strokeStyle=Co=c),y!=bn&&(g.fillStyle=bn=y),p!=O2&&(g.lineWidth=O2=p),k!=D2&&(g.lineJoin=D2=k),v!=$2&&(g.lineCap=$2=v),h!=A2&&g.setLineDash(A2=h)}function _s(c,p,h,v){p!=bn&&(g.fillStyle=bn=p),c!=L2&&(g.font=L2=c),h!=N2&&(g.textAlign=N2=h),v!=q2&&(g.textBaseline=q2=v)}function F2(c,p,h,v,y=0){if(v.length>0&&c.auto(o,Jn)&&(p==null||p.min==null)){let k=ye(o1,0),C=ye(r1,v.length-1),R=h.min==null?O0(v,k,C,y,c.distr==3):[h.min,h.max];c.min=X1(c.min,h.min=R[0]),c.max=y1(c.max,h.max=R[1])}}let xs={min:null,max:null};function ru(){for(let v in P){let y=P[v];Y[v]==null&&(y.min==null||Y[L]!=null&&y.auto(o,Jn))&&(Y[v]=xs)}for(let v in P){let y=P[v];Y[v]==null&&y.from!=null&&Y[y.from]!=null&&(Y[v]=xs)}Y[L]!=null&&yn(!0);let c={};for(let v in Y){let y=Y[v];if(y!=null){let k=c[v]=qn(P[v],V0);if(y.min!=null)Ke(k,y);else if(v!=L||r==2)if(c1==0&&k.from==null){let C=k.range(o,null,null,v);k.min=C[0],k.max=C[1]}else k.min=Ce,k.max=-Ce}}if(c1>0){x.forEach((v,y)=>{if(r==1){let k=v.scale,C=Y[k];if(C==null)return;let R=c[k];if(y==0){let A=R.range(o,R.min,R.max,k);R.min=A[0],R.max=A[1],o1=Z1(R.min,t[0]),r1=Z1(R.max,t[0]),r1-o1>1&&(t[0][o1]<R.min&&o1++,t[0][r1]>R.max&&r1--),v.min=K1[o1],v.max=K1[r1]}else v.show&&v.auto&&F2(R,C,v,t[y],v.sorted);v.idxs[0]=o1,v.idxs[1]=r1}else if(y>0&&v.show&&v.auto){let[k,C]=v.facets,R=k.scale,A=C.scale,[F,I]=t[y],W=c[R],oe=c[A];W!=null&&F2(W,Y[R],k,F,k.sorted),oe!=null&&F2(oe,Y[A],C,I,C.sorted),v.min=C.min,v.max=C.max}});for(let v in c){let y=c[v],k=Y[v];if(y.from==null&&(k==null||k.min==null)){let C=y.range(o,y.min==Ce?null:y.min,y.max==-Ce?null:y.max,v);y.min=C[0],y.max=C[1]}}}for(let v in c){let y=c[v];if(y.from!=null){let k=c[y.from];if(k.min==null)y.min=y.max=null;else{let C=y.range(o,k.min,k.max,v);y.min=C[0],y.max=C[1]}}}let p={},h=!1;for(let v in c){let y=c[v],k=P[v];if(k.min!=y.min||k.max!=y.max){k.min=y.min,k.max=y.max;let C=k.distr;k._min=C==3?xt(k.min):C==4?yr(k.min,k.asinh):C==100?k.fwd(k.min):k.min,k._max=C==3?xt(k.max):C==4?yr(k.max,k.asinh):C==100?k.fwd(k.max):k.max,p[v]=h=!0}}if(h){x.forEach((v,y)=>{r==2?y>0&&p.y&&(v._paths=null):p[v.scale]&&(v._paths=null)});for(let v in p)pn=!0,l1("setScale",v);p1&&j.left>=0&&(Ut=q1=!0)}for(let v in Y)Y[v]=null}function su(c){let p=Mr(o1-1,0,c1-1),h=Mr(r1+1,0,c1-1);for(;c[p]==null&&p>0;)p--;for(;c[h]==null&&h<c1-1;)h++;return[p,h]}function iu(){if(c1>0){let c=x.some(p=>p._focus)&&k1!=ot.alpha;c&&(g.globalAlpha=k1=ot.alpha),x.forEach((p,h)=>{if(h>0&&p.show&&(ks(h,!1),ks(h,!0),p._paths==null)){let v=k1;k1!=p.alpha&&(g.globalAlpha=k1=p.alpha);let y=r==2?[0,t[h][0].length-1]:su(t[h]);p._paths=p.paths(o,h,y[0],y[1]),k1!=v&&(g.globalAlpha=k1=v)}}),x.forEach((p,h)=>{if(h>0&&p.show){let v=k1;k1!=p.alpha&&(g.globalAlpha=k1=p.alpha),p._paths!=null&&Ss(h,!1);{let y=p._paths!=null?p._paths.gaps:null,k=p.points.show(o,h,o1,r1,y),C=p.points.filter(o,h,k,y);(k||C)&&(p.points._paths=p.points.paths(o,h,o1,r1,C),Ss(h,!0))}k1!=v&&(g.globalAlpha=k1=v),l1("drawSeries",h)}}),c&&(g.globalAlpha=k1=1)}}function ks(c,p){let h=p?x[c].points:x[c];h._stroke=h.stroke(o,c),h._fill=h.fill(o,c)}function Ss(c,p){let h=p?x[c].points:x[c],{stroke:v,fill:y,clip:k,flags:C,_stroke:R=h._stroke,_fill:A=h._fill,_width:F=h.width}=h._paths;F=Re(F*xe,3);let I=null,W=F%2/2;p&&A==null&&(A=F>0?"#fff":R);let oe=h.pxAlign==1&&W>0;if(oe&&g.translate(W,W),!p){let _e=P1-F/2,ve=N1-F/2,ae=x1+F,te=B1+F;I=new Path2D,I.rect(_e,ve,ae,te)}p?I2(R,F,h.dash,h.cap,A,v,y,C,k):lu(c,R,F,h.dash,h.cap,A,v,y,C,I,k),oe&&g.translate(-W,-W)}function lu(c,p,h,v,y,k,C,R,A,F,I){let W=!1;A!=0&&z.forEach((oe,_e)=>{if(oe.series[0]==c){let ve=x[oe.series[1]],ae=t[oe.series[1]],te=(ve._paths||bo).band;$t(te)&&(te=oe.dir==1?te[0]:te[1]);let B,$e=null;ve.show&&te&&D0(ae,o1,r1)?($e=oe.fill(o,_e)||k,B=ve._paths.clip):te=null,I2(p,h,v,y,$e,C,R,A,F,I,B,te),W=!0}}),W||I2(p,h,v,y,k,C,R,A,F,I)}let Ps=Fn|Er;function I2(c,p,h,v,y,k,C,R,A,F,I,W){ws(c,p,h,v,y),(A||F||W)&&(g.save(),A&&g.clip(A),F&&g.clip(F)),W?(R&Ps)==Ps?(g.clip(W),I&&g.clip(I),Eo(y,C),Ro(c,k,p)):R&Er?(Eo(y,C),g.clip(W),Ro(c,k,p)):R&Fn&&(g.save(),g.clip(W),I&&g.clip(I),Eo(y,C),g.restore(),Ro(c,k,p)):(Eo(y,C),Ro(c,k,p)),(A||F||W)&&g.restore()}function Ro(c,p,h){h>0&&(p instanceof Map?p.forEach((v,y)=>{g.strokeStyle=Co=y,g.stroke(v)}):p!=null&&c&&g.stroke(p))}function Eo(c,p){p instanceof Map?p.forEach((h,v)=>{g.fillStyle=bn=v,g.fill(h)}):p!=null&&c&&g.fill(p)}function au(c,p,h,v){let y=S[c],k;if(v<=0)k=[0,0];else{let C=y._space=y.space(o,c,p,h,v),R=y._incrs=y.incrs(o,c,p,h,v,C);k=ec(p,h,R,v,C)}return y._found=k}function V2(c,p,h,v,y,k,C,R,A,F){let I=C%2/2;M==1&&g.translate(I,I),ws(R,C,A,F,R),g.beginPath();let W,oe,_e,ve,ae=y+(v==0||v==3?-k:k);h==0?(oe=y,ve=ae):(W=y,_e=ae);for(let te=0;te<c.length;te++)p[te]!=null&&(h==0?W=_e=c[te]:oe=ve=c[te],g.moveTo(W,oe),g.lineTo(_e,ve));g.stroke(),M==1&&g.translate(-I,-I)}function uu(c){let p=!0;return S.forEach((h,v)=>{if(!h.show)return;let y=P[h.scale];if(y.min==null){h._show&&(p=!1,h._show=!1,yn(!1));return}else h._show||(p=!1,h._show=!0,yn(!1));let k=h.side,C=k%2,{min:R,max:A}=y,[F,I]=au(v,R,A,C==0?ie:V);if(I==0)return;let W=y.distr==2,oe=h._splits=h.splits(o,v,R,A,F,I,W),_e=y.distr==2?oe.map(B=>K1[B]):oe,ve=y.distr==2?K1[oe[1]]-K1[oe[0]]:F,ae=h._values=h.values(o,h.filter(o,_e,v,I,ve),v,I,ve);h._rotate=k==2?h.rotate(o,ae,v,I):0;let te=h._size;h._size=z1(h.size(o,ae,v,c)),te!=null&&h._size!=te&&(p=!1)}),p}function cu(c){let p=!0;return bs.forEach((h,v)=>{let y=h(o,v,Bt,c);y!=Tt[v]&&(p=!1),Tt[v]=y}),p}function du(){for(let c=0;c<S.length;c++){let p=S[c];if(!p.show||!p._show)continue;let h=p.side,v=h%2,y,k,C=p.stroke(o,c),R=h==0||h==3?-1:1,[A,F]=p._found;if(p.label!=null){let g1=p.labelGap*R,C1=e1((p._lpos+g1)*xe);_s(p.labelFont[0],C,"center",h==2?"top":Hi),g.save(),v==1?(y=k=0,g.translate(C1,e1(N1+B1/2)),g.rotate((h==3?-e2:e2)/2)):(y=e1(P1+x1/2),k=C1);let Gt=Ol(p.label)?p.label(o,c,A,F):p.label;g.fillText(Gt,y,k),g.restore()}if(F==0)continue;let I=P[p.scale],W=v==0?x1:B1,oe=v==0?P1:N1,_e=p._splits,ve=I.distr==2?_e.map(g1=>K1[g1]):_e,ae=I.distr==2?K1[_e[1]]-K1[_e[0]]:A,te=p.ticks,B=p.border,$e=te.show?te.size:0,He=e1($e*xe),a1=e1((p.alignTo==2?p._size-$e-p.gap:p.gap)*xe),Me=p._rotate*-e2/180,ze=w(p._pos*xe),T1=(He+a1)*R,h1=ze+T1;k=v==0?h1:0,y=v==1?h1:0;let I1=p.font[0],Q1=p.align==1?An:p.align==2?gr:Me>0?An:Me<0?gr:v==0?"center":h==3?gr:An,it=Me||v==1?"middle":h==2?"top":Hi;_s(I1,C,Q1,it);let M1=p.font[1]*p.lineGap,V1=_e.map(g1=>w(a(g1,I,W,oe))),G1=p._values;for(let g1=0;g1<G1.length;g1++){let C1=G1[g1];if(C1!=null){v==0?y=V1[g1]:k=V1[g1],C1=""+C1;let Gt=C1.indexOf(`
`)==-1?[C1]:C1.split(/\n/gm);for(let v1=0;v1<Gt.length;v1++){let Us=Gt[v1];Me?(g.save(),g.translate(y,k+v1*M1),g.rotate(Me),g.fillText(Us,0,0),g.restore()):g.fillText(Us,y,k+v1*M1)}}}te.show&&V2(V1,te.filter(o,ve,c,F,ae),v,h,ze,He,Re(te.width*xe,3),te.stroke(o,c),te.dash,te.cap);let lt=p.grid;lt.show&&V2(V1,lt.filter(o,ve,c,F,ae),v,v==0?2:1,v==0?N1:P1,v==0?B1:x1,Re(lt.width*xe,3),lt.stroke(o,c),lt.dash,lt.cap),B.show&&V2([ze],[1],v==0?1:0,v==0?1:2,v==1?N1:P1,v==1?B1:x1,Re(B.width*xe,3),B.stroke(o,c),B.dash,B.cap)}l1("drawAxes")}function yn(c){x.forEach((p,h)=>{h>0&&(p._paths=null,c&&(r==1?(p.min=null,p.max=null):p.facets.forEach(v=>{v.min=null,v.max=null})))})}let Oo=!1,W2=!1,Zn=[];function fu(){W2=!1;for(let c=0;c<Zn.length;c++)l1(...Zn[c]);Zn.length=0}function wn(){Oo||(K0(Ts),Oo=!0)}function pu(c,p=!1){Oo=!0,W2=p,c(o),Ts(),p&&Zn.length>0&&queueMicrotask(fu)}o.batch=pu;function Ts(){if(C2&&(ru(),C2=!1),pn&&(J3(),pn=!1),Po){if(Le(m,An,Ee),Le(m,"top",Ge),Le(m,mo,ie),Le(m,ho,V),Le(_,An,Ee),Le(_,"top",Ge),Le(_,mo,ie),Le(_,ho,V),Le(b,mo,gt),Le(b,ho,Wt),f.width=e1(gt*xe),f.height=e1(Wt*xe),S.forEach(({_el:c,_show:p,_size:h,_pos:v,side:y})=>{if(c!=null)if(p){let k=y===3||y===0?h:0,C=y%2==1;Le(c,C?"left":"top",v-k),Le(c,C?"width":"height",h),Le(c,C?"top":"left",C?Ge:Ee),Le(c,C?"height":"width",C?V:ie),Pr(c,nn)}else E1(c,nn)}),Co=bn=O2=D2=$2=L2=N2=q2=A2=null,k1=1,to(!0),Ee!=fn||Ge!=Ht||ie!=nt||V!=zt){yn(!1);let c=ie/nt,p=V/zt;if(p1&&!Ut&&j.left>=0){j.left*=c,j.top*=p,_n&&dt(_n,e1(j.left),0,ie,V),xn&&dt(xn,0,e1(j.top),ie,V);for(let h=0;h<F1.length;h++){let v=F1[h];v!=null&&(gn[h]*=c,vn[h]*=p,dt(v,z1(gn[h]),z1(vn[h]),ie,V))}}if(De.show&&!To&&De.left>=0&&De.width>0){De.left*=c,De.width*=c,De.top*=p,De.height*=p;for(let h in K2)Le(Pn,h,De[h])}fn=Ee,Ht=Ge,nt=ie,zt=V}l1("setSize"),Po=!1}gt>0&&Wt>0&&(g.clearRect(0,0,f.width,f.height),l1("drawClear"),O.forEach(c=>c()),l1("draw")),De.show&&To&&(Ao(De),To=!1),p1&&Ut&&(Qt(null,!0,!1),Ut=!1),le.show&&le.live&&q1&&(j2(),q1=!1),d||(d=!0,o.status=1,l1("ready")),Jn=!1,Oo=!1}o.redraw=(c,p)=>{pn=p||!1,c!==!1?Ct(L,E.min,E.max):wn()};function H2(c,p){let h=P[c];if(h.from==null){if(c1==0){let v=h.range(o,p.min,p.max,c);p.min=v[0],p.max=v[1]}if(p.min>p.max){let v=p.min;p.min=p.max,p.max=v}if(c1>1&&p.min!=null&&p.max!=null&&p.max-p.min<1e-16)return;c==L&&h.distr==2&&c1>0&&(p.min=Z1(p.min,t[0]),p.max=Z1(p.max,t[0]),p.min==p.max&&p.max++),Y[c]=p,C2=!0,wn()}}o.setScale=H2;let z2,U2,_n,xn,Ms,Cs,kn,Sn,Rs,Es,Ae,Fe,Mt=!1,d1=j.drag,s1=d1.x,i1=d1.y;p1&&(j.x&&(z2=H1(v0,_)),j.y&&(U2=H1(b0,_)),E.ori==0?(_n=z2,xn=U2):(_n=U2,xn=z2),Ae=j.left,Fe=j.top);let De=o.select=Ke({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),Pn=De.show?H1(g0,De.over?_:m):null;function Ao(c,p){if(De.show){for(let h in c)De[h]=c[h],h in K2&&Le(Pn,h,c[h]);p!==!1&&l1("setSelect")}}o.setSelect=Ao;function mu(c){if(x[c].show)Qe&&Pr(We[c],nn);else if(Qe&&E1(We[c],nn),p1){let h=hn?F1[0]:F1[c];h!=null&&dt(h,-10,-10,ie,V)}}function Ct(c,p,h){H2(c,{min:p,max:h})}function rt(c,p,h,v){p.focus!=null&&yu(c),p.show!=null&&x.forEach((y,k)=>{k>0&&(c==k||c==null)&&(y.show=p.show,mu(k),r==2?(Ct(y.facets[0].scale,null,null),Ct(y.facets[1].scale,null,null)):Ct(y.scale,null,null),wn())}),h!==!1&&l1("setSeries",c,p),v&&no("setSeries",o,c,p)}o.setSeries=rt;function hu(c,p){Ke(z[c],p)}function gu(c,p){c.fill=ce(c.fill||null),c.dir=ye(c.dir,-1),p=p??z.length,z.splice(p,0,c)}function vu(c){c==null?z.length=0:z.splice(c,1)}o.addBand=gu,o.setBand=hu,o.delBand=vu;function bu(c,p){x[c].alpha=p,p1&&F1[c]!=null&&(F1[c].style.opacity=p),Qe&&We[c]&&(We[c].style.opacity=p)}let vt,Rt,Kt,Tn={focus:!0};function yu(c){if(c!=Kt){let p=c==null,h=ot.alpha!=1;x.forEach((v,y)=>{if(r==1||y>0){let k=p||y==0||y==c;v._focus=p?null:k,h&&bu(y,k?1:ot.alpha)}}),Kt=c,h&&wn()}}Qe&&mn&&m1(Bi,ke,c=>{j._lock||(jt(c),Kt!=null&&rt(null,Tn,!0,Ue.setSeries))});function st(c,p,h){let v=P[p];h&&(c=c/xe-(v.ori==1?Ge:Ee));let y=ie;v.ori==1&&(y=V,c=y-c),v.dir==-1&&(c=y-c);let k=v._min,C=v._max,R=c/y,A=k+(C-k)*R,F=v.distr;return F==3?Ln(10,A):F==4?L0(A,v.asinh):F==100?v.bwd(A):A}function wu(c,p){let h=st(c,L,p);return Z1(h,t[0],o1,r1)}o.valToIdx=c=>Z1(c,t[0]),o.posToIdx=wu,o.posToVal=st,o.valToPos=(c,p,h)=>P[p].ori==0?i(c,P[p],h?x1:ie,h?P1:0):l(c,P[p],h?B1:V,h?N1:0),o.setCursor=(c,p,h)=>{Ae=c.left,Fe=c.top,Qt(null,p,h)};function Os(c,p){Le(Pn,An,De.left=c),Le(Pn,mo,De.width=p)}function As(c,p){Le(Pn,"top",De.top=c),Le(Pn,ho,De.height=p)}let Xn=E.ori==0?Os:As,eo=E.ori==1?Os:As;function _u(){if(Qe&&le.live)for(let c=r==2?1:0;c<x.length;c++){if(c==0&&L1)continue;let p=le.values[c],h=0;for(let v in p)tt[c][h++].firstChild.nodeValue=p[v]}}function j2(c,p){if(c!=null&&(c.idxs?c.idxs.forEach((h,v)=>{Te[v]=h}):I0(c.idx)||Te.fill(c.idx),le.idx=Te[0]),Qe&&le.live){for(let h=0;h<x.length;h++)(h>0||r==1&&!L1)&&xu(h,Te[h]);_u()}q1=!1,p!==!1&&l1("setLegend")}o.setLegend=j2;function xu(c,p){let h=x[c],v=c==0&&Q==2?K1:t[c],y;L1?y=h.values(o,c,p)??Pt:(y=h.value(o,p==null?null:v[p],c,p),y=y==null?Pt:{_:y}),le.values[c]=y}function Qt(c,p,h){Rs=Ae,Es=Fe,[Ae,Fe]=j.move(o,Ae,Fe),j.left=Ae,j.top=Fe,p1&&(_n&&dt(_n,e1(Ae),0,ie,V),xn&&dt(xn,0,e1(Fe),ie,V));let v,y=o1>r1;vt=Ce,Rt=null;let k=E.ori==0?ie:V,C=E.ori==1?ie:V;if(Ae<0||c1==0||y){v=j.idx=null;for(let R=0;R<x.length;R++){let A=F1[R];A!=null&&dt(A,-10,-10,ie,V)}mn&&rt(null,Tn,!0,c==null&&Ue.setSeries),le.live&&(Te.fill(v),q1=!0)}else{let R,A,F;r==1&&(R=E.ori==0?Ae:Fe,A=st(R,L),v=j.idx=Z1(A,t[0],o1,r1),F=N(t[0][v],E,k,0));let I=-10,W=-10,oe=0,_e=0,ve=!0,ae="",te="";for(let B=r==2?1:0;B<x.length;B++){let $e=x[B],He=Te[B],a1=He==null?null:r==1?t[B][He]:t[B][1][He],Me=j.dataIdx(o,B,v,A),ze=Me==null?null:r==1?t[B][Me]:t[B][1][Me];if(q1=q1||ze!=a1||Me!=He,Te[B]=Me,B>0&&$e.show){let T1=Me==null?-10:Me==v?F:N(r==1?t[0][Me]:t[B][0][Me],E,k,0),h1=ze==null?-10:ee(ze,r==1?P[$e.scale]:P[$e.facets[1].scale],C,0);if(mn&&ze!=null){let I1=E.ori==1?Ae:Fe,Q1=t1(ot.dist(o,B,Me,h1,I1));if(Q1<vt){let it=ot.bias;if(it!=0){let M1=st(I1,$e.scale),V1=ze>=0?1:-1,G1=M1>=0?1:-1;G1==V1&&(G1==1?it==1?ze>=M1:ze<=M1:it==1?ze<=M1:ze>=M1)&&(vt=Q1,Rt=B)}else vt=Q1,Rt=B}}if(q1||hn){let I1,Q1;E.ori==0?(I1=T1,Q1=h1):(I1=h1,Q1=T1);let it,M1,V1,G1,lt,g1,C1=!0,Gt=f1.bbox;if(Gt!=null){C1=!1;let v1=Gt(o,B);V1=v1.left,G1=v1.top,it=v1.width,M1=v1.height}else V1=I1,G1=Q1,it=M1=f1.size(o,B);if(g1=f1.fill(o,B),lt=f1.stroke(o,B),hn)B==Rt&&vt<=ot.prox&&(I=V1,W=G1,oe=it,_e=M1,ve=C1,ae=g1,te=lt);else{let v1=F1[B];v1!=null&&(gn[B]=V1,vn[B]=G1,Xi(v1,it,M1,C1),Ji(v1,g1,lt),dt(v1,z1(V1),z1(G1),ie,V))}}}}if(hn){let B=ot.prox,$e=Kt==null?vt<=B:vt>B||Rt!=Kt;if(q1||$e){let He=F1[0];He!=null&&(gn[0]=I,vn[0]=W,Xi(He,oe,_e,ve),Ji(He,ae,te),dt(He,z1(I),z1(W),ie,V))}}}if(De.show&&Mt)if(c!=null){let[R,A]=Ue.scales,[F,I]=Ue.match,[W,oe]=c.cursor.sync.scales,_e=c.cursor.drag;if(s1=_e._x,i1=_e._y,s1||i1){let{left:ve,top:ae,width:te,height:B}=c.select,$e=c.scales[W].ori,He=c.posToVal,a1,Me,ze,T1,h1,I1=R!=null&&F(R,W),Q1=A!=null&&I(A,oe);I1&&s1?($e==0?(a1=ve,Me=te):(a1=ae,Me=B),ze=P[R],T1=N(He(a1,W),ze,k,0),h1=N(He(a1+Me,W),ze,k,0),Xn(X1(T1,h1),t1(h1-T1))):Xn(0,k),Q1&&i1?($e==1?(a1=ve,Me=te):(a1=ae,Me=B),ze=P[A],T1=ee(He(a1,oe),ze,C,0),h1=ee(He(a1+Me,oe),ze,C,0),eo(X1(T1,h1),t1(h1-T1))):eo(0,C)}else Q2()}else{let R=t1(Rs-Ms),A=t1(Es-Cs);if(E.ori==1){let oe=R;R=A,A=oe}s1=d1.x&&R>=d1.dist,i1=d1.y&&A>=d1.dist;let F=d1.uni;F!=null?s1&&i1&&(s1=R>=F,i1=A>=F,!s1&&!i1&&(A>R?i1=!0:s1=!0)):d1.x&&d1.y&&(s1||i1)&&(s1=i1=!0);let I,W;s1&&(E.ori==0?(I=kn,W=Ae):(I=Sn,W=Fe),Xn(X1(I,W),t1(W-I)),i1||eo(0,C)),i1&&(E.ori==1?(I=kn,W=Ae):(I=Sn,W=Fe),eo(X1(I,W),t1(W-I)),s1||Xn(0,k)),!s1&&!i1&&(Xn(0,0),eo(0,0))}if(d1._x=s1,d1._y=i1,c==null){if(h){if(zs!=null){let[R,A]=Ue.scales;Ue.values[0]=R!=null?st(E.ori==0?Ae:Fe,R):null,Ue.values[1]=A!=null?st(E.ori==1?Ae:Fe,A):null}no(vr,o,Ae,Fe,ie,V,v)}if(mn){let R=h&&Ue.setSeries,A=ot.prox;Kt==null?vt<=A&&rt(Rt,Tn,!0,R):vt>A?rt(null,Tn,!0,R):Rt!=Kt&&rt(Rt,Tn,!0,R)}}q1&&(le.idx=v,j2()),p!==!1&&l1("setCursor")}let Et=null;Object.defineProperty(o,"rect",{get(){return Et==null&&to(!1),Et}});function to(c=!1){c?Et=null:(Et=_.getBoundingClientRect(),l1("syncRect",Et))}function Ds(c,p,h,v,y,k,C){j._lock||Mt&&c!=null&&c.movementX==0&&c.movementY==0||(B2(c,p,h,v,y,k,C,!1,c!=null),c!=null?Qt(null,!0,!0):Qt(p,!0,!1))}function B2(c,p,h,v,y,k,C,R,A){if(Et==null&&to(!1),jt(c),c!=null)h=c.clientX-Et.left,v=c.clientY-Et.top;else{if(h<0||v<0){Ae=-10,Fe=-10;return}let[F,I]=Ue.scales,W=p.cursor.sync,[oe,_e]=W.values,[ve,ae]=W.scales,[te,B]=Ue.match,$e=p.axes[0].side%2==1,He=E.ori==0?ie:V,a1=E.ori==1?ie:V,Me=$e?k:y,ze=$e?y:k,T1=$e?v:h,h1=$e?h:v;if(ve!=null?h=te(F,ve)?a(oe,P[F],He,0):-10:h=He*(T1/Me),ae!=null?v=B(I,ae)?a(_e,P[I],a1,0):-10:v=a1*(h1/ze),E.ori==1){let I1=h;h=v,v=I1}}A&&(p==null||p.cursor.event.type==vr)&&((h<=1||h>=ie-1)&&(h=en(h,ie)),(v<=1||v>=V-1)&&(v=en(v,V))),R?(Ms=h,Cs=v,[kn,Sn]=j.move(o,h,v)):(Ae=h,Fe=v)}let K2={width:0,height:0,left:0,top:0};function Q2(){Ao(K2,!1)}let $s,Ls,Ns,qs;function Fs(c,p,h,v,y,k,C){Mt=!0,s1=i1=d1._x=d1._y=!1,B2(c,p,h,v,y,k,C,!0,!1),c!=null&&(m1(br,kr,Is,!1),no(Ui,o,kn,Sn,ie,V,null));let{left:R,top:A,width:F,height:I}=De;$s=R,Ls=A,Ns=F,qs=I}function Is(c,p,h,v,y,k,C){Mt=d1._x=d1._y=!1,B2(c,p,h,v,y,k,C,!1,!0);let{left:R,top:A,width:F,height:I}=De,W=F>0||I>0,oe=$s!=R||Ls!=A||Ns!=F||qs!=I;if(W&&oe&&Ao(De),d1.setScale&&W&&oe){let _e=R,ve=F,ae=A,te=I;if(E.ori==1&&(_e=A,ve=I,ae=R,te=F),s1&&Ct(L,st(_e,L),st(_e+ve,L)),i1)for(let B in P){let $e=P[B];B!=L&&$e.from==null&&$e.min!=Ce&&Ct(B,st(ae+te,B),st(ae,B))}Q2()}else j.lock&&(j._lock=!j._lock,Qt(p,!0,c!=null));c!=null&&(dn(br,kr),no(br,o,Ae,Fe,ie,V,null))}function ku(c,p,h,v,y,k,C){if(j._lock)return;jt(c);let R=Mt;if(Mt){let A=!0,F=!0,I=10,W,oe;E.ori==0?(W=s1,oe=i1):(W=i1,oe=s1),W&&oe&&(A=Ae<=I||Ae>=ie-I,F=Fe<=I||Fe>=V-I),W&&A&&(Ae=Ae<kn?0:ie),oe&&F&&(Fe=Fe<Sn?0:V),Qt(null,!0,!0),Mt=!1}Ae=-10,Fe=-10,Te.fill(null),Qt(null,!0,!0),R&&(Mt=R)}function Vs(c,p,h,v,y,k,C){j._lock||(jt(c),E2(),Q2(),c!=null&&no(Ki,o,Ae,Fe,ie,V,null))}function Ws(){S.forEach(tc),R2(o.width,o.height,!0)}on(t2,$n,Ws);let Mn={};Mn.mousedown=Fs,Mn.mousemove=Ds,Mn.mouseup=Is,Mn.dblclick=Vs,Mn.setSeries=(c,p,h,v)=>{let y=Ue.match[2];h=y(o,p,h),h!=-1&&rt(h,v,!0,!1)},p1&&(m1(Ui,_,Fs),m1(vr,_,Ds),m1(ji,_,c=>{jt(c),to(!1)}),m1(Bi,_,ku),m1(Ki,_,Vs),Or.add(o),o.syncRect=to);let Do=o.hooks=e.hooks||{};function l1(c,p,h){W2?Zn.push([c,p,h]):c in Do&&Do[c].forEach(v=>{v.call(null,o,p,h)})}(e.plugins||[]).forEach(c=>{for(let p in c.hooks)Do[p]=(Do[p]||[]).concat(c.hooks[p])});let Hs=(c,p,h)=>h,Ue=Ke({key:null,setSeries:!1,filters:{pub:rl,sub:rl},scales:[L,x[1]?x[1].scale:null],match:[sl,sl,Hs],values:[null,null]},j.sync);Ue.match.length==2&&Ue.match.push(Hs),j.sync=Ue;let zs=Ue.key,G2=ta(zs);function no(c,p,h,v,y,k,C){Ue.filters.pub(c,p,h,v,y,k,C)&&G2.pub(c,p,h,v,y,k,C)}G2.sub(o);function Su(c,p,h,v,y,k,C){Ue.filters.sub(c,p,h,v,y,k,C)&&Mn[c](null,p,h,v,y,k,C)}o.pub=Su;function Pu(){G2.unsub(o),Or.delete(o),Vt.clear(),Tr(t2,$n,Ws),u.remove(),ke?.remove(),l1("destroy")}o.destroy=Pu;function Y2(){l1("init",e,t),ys(t||e.data,!1),Y[L]?H2(L,Y[L]):E2(),To=De.show&&(De.width>0||De.height>0),Ut=q1=!0,R2(e.width,e.height)}return x.forEach(vs),S.forEach(ou),n?n instanceof HTMLElement?(n.appendChild(u),Y2()):n(o,Y2):Y2(),o}n1.assign=Ke;n1.fmtNum=Fr;n1.rangeNum=n2;n1.rangeLog=s2;n1.rangeAsinh=Nr;n1.orient=sn;n1.pxRatio=xe;n1.join=B0;n1.fmtDate=Vr,n1.tzDate=o4;n1.sync=ta;{n1.addGap=I4,n1.clipGaps=a2;let e=n1.paths={points:la};e.linear=ua,e.stepped=H4,e.bars=z4,e.spline=j4}var pa="lastvalue-theme",ma=matchMedia("(prefers-color-scheme: dark)"),ha=fe(ma.matches);ma.addEventListener("change",e=>ha.value=e.matches);var Kr=fe(nc()),ft=at(()=>Kr.value??(ha.value?"dark":"light"));yt(()=>{document.documentElement.dataset.theme=ft.value});function ga(){Kr.value=ft.value==="dark"?"light":"dark";try{localStorage.setItem(pa,Kr.value)}catch{}}function nc(){try{let e=localStorage.getItem(pa);return e==="light"||e==="dark"?e:null}catch{return null}}var oc=240;function U1({label:e,timesMs:t,lines:n,written:o,areBytes:r=!1,height:i=160,windowS:l=oc}){let a=Ye(null),d=Ye(null),u=`${ft.value} ${i} ${n.map(m=>`${m.title}${m.colour}`).join()}`,f=[t.map(m=>m/1e3),...n.map(m=>[...m.values])];re(()=>{let m=a.current;if(!m)return;let _=new n1(sc(m,n,o,r,i,l),f,m);d.current=_;let M=new ResizeObserver(()=>_.setSize({width:Math.max(80,m.clientWidth),height:i}));return M.observe(m),()=>{M.disconnect(),_.destroy(),d.current=null}},[u]),re(()=>d.current?.setData(f));let g=n.some(m=>m.values.some(_=>_!=null)),b=m=>{let _=m.values.at(-1);return _==null?"–":o(_)};return s("figure",{class:"plot",children:[s("figcaption",{children:[s("span",{class:"plot-title",children:e}),n.map(m=>s("span",{class:"legend",children:[s("i",{class:`swatch colour-${m.colour}`,"aria-hidden":"true"}),m.title," ",s("b",{children:b(m)})]},m.title))]}),s("div",{ref:a,class:"plot-area",role:"img","aria-label":e,hidden:!g}),!g&&s("p",{class:"muted",children:"Nothing was measured yet."})]})}var rc=Array.from({length:50},(e,t)=>2**t);function sc(e,t,n,o,r,i){let l=getComputedStyle(document.documentElement),a=u=>l.getPropertyValue(`--${u}`).trim(),d={stroke:a("muted"),grid:{stroke:a("line"),width:1},ticks:{show:!1},font:"11px system-ui"};return{width:Math.max(80,e.clientWidth),height:r,legend:{show:!1},cursor:{y:!1,points:{show:!1}},padding:[8,18,0,0],axes:[{...d,size:24,space:56,values:(u,f)=>f.map(g=>new Date(g*1e3).toTimeString().slice(0,5)),incrs:[60,300,600,900]},{...d,size:64,space:32,values:(u,f)=>ic(f.map(n)),...o&&{incrs:rc}}],scales:{x:{range:(u,f,g)=>g>0?[g-i,g]:lc(i)},y:{range:(u,f,g)=>[0,g>0?g*1.1:1]}},series:[{},...t.map(u=>({label:u.title,stroke:a(`colour-${u.colour}`),width:1.5,points:{show:!1}}))]}}function ic(e){return e.map((t,n)=>e[n-1]===t?"":t)}function lc(e){let t=Date.now()/1e3;return[t-e,t]}function f2({values:e,label:t}){let r=Math.max(...e,1e-9),i=96/Math.max(1,e.length-1),l=e.map((a,d)=>`${(d*i).toFixed(1)},${(20-1.5-a/r*17).toFixed(1)}`);return s("svg",{class:"sparkline",viewBox:"0 0 96 20",width:96,height:20,role:"img","aria-label":t,children:l.length>1&&s("polyline",{points:l.join(" "),fill:"none",stroke:"currentColor","stroke-width":"1.5"})})}var ac={good:"check",idle:"dot",warn:"pause",bad:"warning"};function pt({tone:e,text:t,title:n}){return s("span",{class:`tag state ${e}`,title:n,children:[s(R1,{name:ac[e]}),t]})}function ue(e){let{caption:t,columns:n,rows:o,rowKey:r,rowLink:i,sort:l="",onSort:a,empty:d="Nothing is here.",isNarrow:u=!1}=e;return s("div",{class:u?"table-frame stacks":"table-frame",tabIndex:0,role:"region","aria-label":t,children:s("table",{children:[s("caption",{class:"unseen",children:t}),s("thead",{children:s("tr",{children:n.map(f=>s(uc,{column:f,sort:l,onSort:a},f.name))})}),s("tbody",{children:[o.map(f=>s("tr",{children:n.map((g,b)=>s("td",{class:g.isNumeric?"number":void 0,children:b===0&&i?s("a",{href:i(f),children:g.cell(f)}):g.cell(f)},g.name))},r(f))),o.length===0&&s("tr",{children:s("td",{class:"empty",colSpan:n.length,children:d})})]})]})})}function uc({column:e,sort:t,onSort:n}){let{name:o,title:r,isNumeric:i,isSortable:l,help:a}=e,d=t===o,u=t===`-${o}`,f=d?"ascending":u?"descending":"none",g=d||i&&!u?`-${o}`:o;return s("th",{scope:"col",class:i?"number":void 0,"aria-sort":l?f:void 0,title:a,children:l&&n?s("button",{type:"button",class:"plain",onClick:()=>n(g),children:[r,s("span",{class:"order","aria-hidden":"true",children:d?"▲":u?"▼":""})]}):r||s("span",{class:"unseen",children:o})})}function p2({offset:e,rows:t,total:n,onPrevious:o,onNext:r}){return s("nav",{class:"pager","aria-label":"Pages",children:[s("button",{type:"button",onClick:o,disabled:!o,"aria-label":"Previous page",children:s(R1,{name:"left"})}),s("span",{children:[t?`${e+1}–${e+t}`:"0",n===void 0?"":` of ${n.toLocaleString("en")}`]}),s("button",{type:"button",onClick:r,disabled:!r,"aria-label":"Next page",children:s(R1,{name:"right"})})]})}var mt=class{constructor(t=240){this.most=t}most;timesMs=[];values=[];add(t,n){let o=this.timesMs.at(-1);o!==void 0&&t<=o||this.addLevel(t,n)}addLevel(t,n){this.timesMs.push(t),this.values.push(n),this.values.length>this.most&&(this.timesMs.shift(),this.values.shift())}rate(t=3){let n=this.values.length-1,o=Math.max(0,n-t);if(!(n<1))return this.rateOf(o,n)}rates(){return this.values.slice(1).map((t,n)=>this.rateOf(n,n+1))}rateOf(t,n){let o=m2(this.values,n)-m2(this.values,t);return Math.max(0,1e3*o/(m2(this.timesMs,n)-m2(this.timesMs,t)))}},et=class{constructor(t=400,n=240){this.most=t;this.samplesOfEach=n}most;samplesOfEach;sets=new Map;of(t){let n=this.sets.get(t)??new mt(this.samplesOfEach);return this.sets.delete(t),this.sets.set(t,n),this.sets.size>this.most&&this.sets.delete(this.sets.keys().next().value),n}};function m2(e,t){return e[t]??0}function cc(){let{data:e,problem:t,refresh:n}=X("/cluster"),o=$(!1),r=e.value,i=me(()=>new mt,[]);if(me(()=>{r&&i.addLevel(Date.now(),dc(r))},[r]),!r&&t.value?.status===409)return s(fc,{why:t.value.detail});if(!r)return t.value?s(se,{problem:t.value}):s(Pe,{});let l=r.role==="leader",a=[["This broker is",l?"the leader":"a follower"],["Leader",r.leader?s(va,{of:r.leader}):"not known yet"],["Term",D(r.term)],...r.lease_ms?[["Lease",Oe(r.lease_ms)]]:[]];return l||a.push(["Behind",Oe(r.lag_ms??0)],["Records to apply",D(r.lag_records??0)]),s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Cluster"}),l&&s("div",{class:"actions",children:s("button",{type:"button",onClick:()=>o.value=!0,children:"Step down"})})]}),t.value&&s(se,{problem:t.value}),s("dl",{class:"figures",children:a.map(([d,u])=>s("div",{class:"figure",children:[s("dt",{children:d}),s("dd",{children:u})]},d))}),r.missing?.length?s("p",{class:"banner",role:"status",children:[r.missing.length===1?"A broker neither leads nor follows":"Brokers that neither lead nor follow",": ",r.missing.join(", ")]}):null,s("section",{class:"card",children:s(U1,{label:l?"Records that the slowest follower lacks":"Records behind the leader",timesMs:i.timesMs,lines:[{title:"records",colour:4,values:i.values}],written:D})}),l&&s(ue,{caption:"Followers",columns:[{name:"address",title:"Address",cell:d=>s(va,{of:d.address})},{name:"process",title:"Process",cell:d=>d.process},{name:"records_unsent",title:"Records behind",isNumeric:!0,cell:d=>D(d.records_unsent)}],rows:r.followers??[],rowKey:d=>d.process,empty:"No broker follows this one: nobody would take over."}),r.servers?.length?s(ue,{caption:"Servers of the log",columns:[{name:"server",title:"Server",cell:d=>d.server},{name:"role",title:"Role",cell:d=>d.role},{name:"current",title:"State",cell:d=>s(pt,{tone:d.current?"good":"bad",text:d.current?"current":"behind",title:"Whether it has all records"})},{name:"records_behind",title:"Records behind",isNumeric:!0,cell:d=>D(d.records_behind)}],rows:r.servers,rowKey:d=>d.server}):null,o.value&&s(be,{title:"Step down?",text:"A follower leads at once, and this broker ends; its service manager starts it again. Clients go to the new leader.",action:"Hand over",isDangerous:!0,fields:[{name:"alone",label:"Also where no broker follows",kind:"checkbox",help:"Nobody leads then until a broker is started."}],onClose:()=>o.value=!1,onSubmit:async d=>{await Z("/cluster/step-down",{method:"POST",body:d}),he("the broker hands over and ends"),n()}})]})}function va({of:e}){let t=e.slice(0,e.lastIndexOf(":"));if(!t||t===location.hostname)return s(q,{children:e});let n=location.port?`:${location.port}`:"";return s("a",{href:`${location.protocol}//${t}${n}${location.pathname}#/cluster`,title:"Its console, if it is at the same port as this one",children:e})}function dc(e){return e.role==="follower"?e.lag_records??0:Math.max(0,...(e.followers??[]).map(t=>t.records_unsent))}function fc({why:e}){return s(q,{children:[s("div",{class:"page-head",children:s("h1",{children:"Cluster"})}),s("p",{class:"notice",children:[s("strong",{children:"This broker works alone"}),s("br",{}),e[0]?.toUpperCase(),e.slice(1),". Brokers that share a log take over from each other."]})]})}var ba={path:"cluster",title:"Cluster",inNavigation:!0,needs:"show-broker",view:cc};function wa(e){return Object.entries(e).map(pc).join(`
`)}function pc([e,t]){return Array.isArray(t)?t.map(n=>ya(`[[${Qr(e)}]]`,n)).join(`
`):Yr(t)?ya(`[${Qr(e)}]`,t):`${Gr([e,t])}
`}function ya(e,t){let n=Yr(t)?Object.entries(t).map(Gr):[];return[e,...n,""].join(`
`)}function Gr([e,t]){return`${Qr(e)} = ${_a(t)}`}function _a(e){return Array.isArray(e)?`[${e.map(_a).join(", ")}]`:Yr(e)?`{ ${Object.entries(e).map(Gr).join(", ")} }`:JSON.stringify(e)}function Qr(e){return/^[\w-]+$/.test(e)?e:JSON.stringify(e)}function Yr(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)}var Jr={default:["default","tag",""],file:["file","tag on","The file says it"],start:["start","tag on","Given at the start: by a flag, by a variable, or by the file as it was then"]},mc={add:"tag on",change:"tag on","cannot change":"tag bad",fault:"tag bad"};function hc(){let e=$(null),t=$(null),n=$(!1),o=X("/configuration",6e4),r=$(!1),i=f=>Z("/configuration",{method:"POST",body:{dry_run:f,prune:n.value}}),l=async()=>{try{e.value=(await i(!0)).changes,t.value=null}catch(f){t.value=f instanceof Ve?f:new Ve(0,Ze(f))}},a=o.data.value;re(()=>{a?.file&&l()},[a?.file]);let d=e.value,u=d?.filter(f=>["add","change"].includes(f.verdict)||n.value&&f.verdict==="only in the broker")??[];return!a&&o.problem.value?s(se,{problem:o.problem.value}):a&&!a.file?s(q,{children:[s("h1",{children:"Configuration"}),s("p",{class:"muted",children:["The broker has no configuration file; it is started with one by ",s("code",{children:"lastvalue serve --config FILE"}),"."]}),s(xa,{read:a})]}):s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Configuration"}),s("div",{class:"actions",children:[s("button",{type:"button",onClick:l,children:"Compare again"}),s("button",{type:"button",class:"primary",disabled:!u.length,onClick:()=>r.value=!0,children:"Apply the file"})]})]}),s("p",{class:"muted",children:["What differs between the running broker and its file",a&&s(q,{children:[" ",s("code",{children:a.file})]}),". Nothing changes until the file is applied."," ",s("label",{children:[s("input",{type:"checkbox",checked:n.value,onChange:f=>n.value=f.currentTarget.checked})," remove what only the broker has"]})]}),t.value?s(se,{problem:t.value}):d?s(ue,{caption:"What differs",columns:[{name:"verdict",title:"Verdict",cell:({verdict:f,done:g})=>s("span",{class:mc[f]??"tag",children:g?"done":f})},{name:"line",title:"Difference",cell:f=>f.line}],rows:d,rowKey:f=>f.line,empty:"The broker is what its file asks for."}):s(Pe,{}),a&&s(xa,{read:a}),r.value&&s(be,{title:`Apply ${u.length} ${u.length===1?"change":"changes"}?`,text:n.value?"Queues that only the broker has are deleted with their messages.":"Each change happens wholly or not at all.",action:"Apply",isDangerous:n.value,fields:[],onClose:()=>r.value=!1,onSubmit:async()=>{e.value=(await i(!1)).changes,o.refresh(),he(`${e.value.filter(f=>f.done).length} changes were applied`)}})]})}function xa({read:e}){let t=$(!1);return s(q,{children:[s("div",{children:[s("div",{class:"page-head",children:[s("h2",{children:"Settings in force"}),s("div",{class:"actions",children:s("button",{type:"button","aria-pressed":t.value,onClick:()=>t.value=!t.value,children:"Show defaults"})})]}),s(ue,{caption:"Settings in force",columns:[{name:"name",title:"Setting",cell:({name:n})=>s("code",{children:n})},{name:"value",title:"Value",cell:({value:n})=>s("b",{class:"wraps",children:n})},{name:"from",title:"Origin",cell:({from:n})=>s("span",{class:Jr[n][1],title:Jr[n][2],children:Jr[n][0]})}],rows:e.settings.filter(({from:n})=>t.value||n!=="default"),rowKey:({name:n})=>n,empty:"All settings have their defaults."})]}),e.file&&s("section",{"aria-labelledby":"tables-heading",children:[s("h2",{id:"tables-heading",children:"The rest of the file, as it was applied last"}),s("pre",{class:"tall",tabIndex:0,"aria-labelledby":"tables-heading",children:wa(e.tables)||"It declares nothing."}),s("p",{class:"muted",children:s("small",{children:["Passwords and what may be one are ",s("code",{children:"***"}),". The hash of the file is ",s("code",{children:e.hash}),"."]})})]})]})}var ka={path:"configuration",title:"Configuration",inNavigation:!0,needs:"reload",view:hc};function Sa({label:e,tabs:t,current:n,hrefOf:o}){return s("nav",{class:"segments","aria-label":e,children:t.map(r=>s("a",{href:o(r),"aria-current":r===n?"page":void 0,children:r},r))})}var Pa=fe(location.hash);addEventListener("hashchange",()=>Pa.value=location.hash);var wo=at(()=>{let[e="",t=""]=Pa.value.replace(/^#\/?/,"").split("?",2);return{segments:e.split("/").filter(Boolean).map(gc),query:new URLSearchParams(t)}});function we(e,t={}){let n=new URLSearchParams(Object.entries(t).filter(([,r])=>r!=="")),o=`#/${e.map(encodeURIComponent).join("/")}`;return n.size?`${o}?${n}`:o}function w1(e,t={}){location.hash=we(e,t)}function Ta(e,t){let n=e.split("/").filter(Boolean);if(n.length!==t.length)return null;let o={};for(let[r,i]of n.entries()){let l=t[r]??"";if(i.startsWith(":"))o[i.slice(1)]=l;else if(i!==l)return null}return o}function gc(e){try{return decodeURIComponent(e)}catch{return e}}var Ma=["connections","sessions","consumers","producers"];function vc({query:e}){let t=Ma.find(b=>b===e.get("show"))??"connections",n=e.get("contains")??"",o=e.get("sort")??"name",r=$(null),{data:i,problem:l,refresh:a}=X(H(["peers",t])),d=X("/peers/connections"),u=[X("/peers/consumers"),X("/peers/producers")],f={now:Date.now(),gateways:new Set((d.data.value?.connections??[]).filter(bc).map(b=>String(b.name))),waits:yc([...u[0].data.value?.consumers??[],...u[1].data.value?.producers??[]]),close:b=>r.value=b},g=(i.value?.[t]??[]).filter(b=>Object.values(b).join(" ").includes(n));return s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Connections"}),s(Sa,{label:"Kinds of peers",tabs:Ma,current:t,hrefOf:b=>we(["connections"],{show:b})})]}),s("div",{class:"tools",children:[s("input",{type:"search","aria-label":"Search",placeholder:"Search",value:n,onInput:b=>w1(["connections"],{show:t,sort:o,contains:b.currentTarget.value})}),s("span",{class:"muted",children:D(g.length)})]}),l.value&&s(se,{problem:l.value}),i.value?.[t]?s(ue,{caption:t,columns:xc(t,f),rows:kc(g,o),rowKey:b=>`${b.connection} ${b.session} ${b.name} ${b.role}`,sort:o,onSort:b=>w1(["connections"],{show:t,sort:b,contains:n}),empty:`There are no ${t} that you may see.`}):!l.value&&s(Pe,{}),r.value!==null&&s(be,{title:`Close ${r.value.name}?`,text:r.value.text,action:r.value.action,isDangerous:!0,fields:[],onClose:()=>r.value=null,onSubmit:async()=>{r.value!==null&&(await Z(r.value.address,{method:"DELETE"}),he(`closed ${r.value.name}`),a())}})]})}function bc(e){return String(e.program).startsWith("lastvalue-http-")}function yc(e){let t=new Map;for(let n of e){if(!n.waits_for||Ca(n))continue;let o=String(n.connection);t.set(o,(t.get(o)??new Set).add(String(n.waits_for)))}return new Map([...t].map(([n,o])=>[n,[...o].join(", ")]))}function wc(e){return{name:e,address:H(["peers","connections",e]),action:"Close the connection",text:"Its peer is told, and may connect again. Messages that it has not settled go back to their queues."}}function _c(e){let t=String(e.name),n={connection:String(e.connection),session:String(e.session)};return{name:t,address:H(["peers","consumers",t],n),action:"Close the consumer",text:`Its connection ${n.connection} stays, and may subscribe again; over AMQP 0-10 its peer cannot be told. Messages that it has not settled go back to ${e.node}.`}}function xc(e,{now:t,gateways:n,waits:o,close:r}){let i=(w,T)=>({name:w,title:T,isSortable:!0,cell:x=>String(x[w]??"")}),l=(w,T,x=D)=>({...i(w,T),isNumeric:!0,cell:S=>x(Number(S[w]))}),a=w=>({name:"close",title:"Action",cell:T=>{let x=w(T);return n.has(String(T[e==="connections"?"name":"connection"]))?s("span",{class:"tag",title:"The HTTP gateway's: somebody's page or program uses it",children:"gateway"}):s("button",{type:"button",class:"quiet danger",onClick:()=>r(x),"aria-label":`Close ${x.name}`,title:x.action,children:"Close"})}}),d=a(w=>wc(String(w[e==="connections"?"name":"connection"]))),u=(w,T)=>l(w,T,x=>x?Oe(t-(x??0)):"–");if(e==="connections")return[i("name","Connection"),i("user","User"),i("peer","Peer"),{...i("protocol","Protocol"),cell:w=>s(q,{children:[w.protocol," ",w.tls?s(pt,{tone:"good",text:String(w.tls)}):s("span",{class:"tag",children:"no TLS"})]})},i("program","Program"),{name:"waits",title:"Waits for",cell:w=>o.has(String(w.name))?s(pt,{tone:"warn",text:o.get(String(w.name))??""}):""},{...l("received","Messages in, out"),cell:w=>`${D(Number(w.received))}, ${D(Number(w.delivered))}`},{...l("bytes_in","Bytes in, out",Xe),cell:w=>`${Xe(Number(w.bytes_in))}, ${Xe(Number(w.bytes_out))}`},u("since_ms","Since"),d];if(e==="sessions")return[i("name","Session"),i("connection","Connection"),l("channel","Channel"),l("links","Links"),l("unsettled","Unsettled"),d];let f={...i("node",e==="consumers"?"Reads":"Publishes to"),cell:w=>e==="consumers"?s("a",{href:we(["queues",String(w.node)]),children:w.node}):w.node||"by message"},g={...i("waits_for","Waits for"),cell:w=>w.waits_for?s("span",{class:Ca(w)?"tag":"tag warn",children:w.waits_for}):""},b=u("waits_since_ms","For"),m=[g,b,i("user","User"),i("connection","Connection"),e==="consumers"?a(_c):d];if(e==="producers")return[f,l("received","Published"),l("refused","Refused"),u("last_ms","Last"),...m];let _={name:"browses",title:"Mode",cell:w=>w.browses?"browses":"consumes"},M=l("credit","Credit",w=>w===-1?"any":D(w));return[f,_,l("delivered","Delivered"),l("unsettled","Unsettled"),M,u("last_ms","Last"),...m]}function Ca(e){return e.waits_for==="empty"||!e.waits_since_ms}function kc(e,t){let[n,o]=t.startsWith("-")?[t.slice(1),-1]:[t,1];return[...e].sort((r,i)=>{let[l,a]=[r[n]??"",i[n]??""];return o*(typeof l=="number"&&typeof a=="number"?l-a:String(l).localeCompare(String(a)))})}var Ra={path:"connections",title:"Connections",inNavigation:!0,view:vc};var Sc=["direct","topic","fanout","headers","address"],Pc=100;function Tc({query:e}){let[t,n]=[e.get("after")??"",e.get("contains")??""],o=H(["exchanges"],{after:t,contains:n,limit:Pc}),{data:r,problem:i,refresh:l}=X(o),a=$(!1),d=r.value?.exchanges??[];return s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Exchanges"}),s("div",{class:"actions",children:s("button",{type:"button",class:"primary",disabled:_t()!=="",title:_t(),onClick:()=>a.value=!0,children:"Add an exchange"})})]}),s("div",{class:"tools",children:s("input",{type:"search","aria-label":"Search exchanges",placeholder:"Search",value:n,onInput:u=>w1(["exchanges"],{contains:u.currentTarget.value})})}),i.value&&s(se,{problem:i.value}),r.value?s(ue,{caption:"Exchanges",columns:[{name:"name",title:"Exchange",cell:u=>u.name},{name:"type",title:"Type",cell:u=>s("span",{class:"tag",children:u.type})},{name:"bindings",title:"Bindings",isNumeric:!0,cell:u=>D(u.bindings.length)},{name:"received",title:"Received",isNumeric:!0,cell:u=>D(u.received)},{name:"unrouted",title:"No queue",isNumeric:!0,cell:u=>D(u.unrouted),help:"Messages that no queue got"},{name:"options",title:"Options",cell:({options:u})=>Ea(u)}],rows:d,rowKey:u=>u.name,rowLink:u=>we(["exchanges",u.name]),empty:"There are no exchanges that you may see."}):!i.value&&s(Pe,{}),r.value?.next&&s("a",{href:we(["exchanges"],{contains:n,after:d.at(-1)?.name??""}),children:"Next page"}),a.value&&s(be,{title:"Add an exchange",action:"Add",fields:[{name:"name",label:"Name",isRequired:!0},{name:"type",label:"Type",kind:"choice",choices:Sc,value:"topic"},{name:"alternate",label:"Alternate",help:"The exchange or queue that gets what no queue gets."},{name:"durable",label:"Durable",kind:"checkbox",value:!0,help:"It survives a restart."}],onClose:()=>a.value=!1,onSubmit:async({name:u,...f})=>{await Z(H(["exchanges",String(u)]),{method:"PUT",body:f}),he(`added exchange ${u}`),l()}})]})}function Ea(e){return Object.entries(e).filter(([t])=>t!=="type").map(([t,n])=>n===!0?t:`${t} ${U(n)}`).join(", ")}function Mc({parameters:e}){let t=e.exchange??"",{data:n,problem:o,refresh:r}=X(H(["exchanges"],{contains:t,limit:1e3}),4e3),i=$(""),l=ut(t),a=n.value?.exchanges.find(u=>u.name===t);if(!n.value)return o.value?s(se,{problem:o.value}):s(Pe,{});if(!a)return s("p",{class:"notice",role:"alert",children:["There is no exchange ",t," that you may see."]});let d=({destination:u,key:f})=>Yo(`unbound ${u}`,()=>Z(H(["exchanges",t,"bindings"],{destination:u,key:f}),{method:"DELETE"}));return s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:t}),s("span",{class:"tag",children:a.type}),s("span",{class:"muted",children:Ea(a.options)}),s("div",{class:"actions",children:[s("button",{type:"button",disabled:l("bind")!=="",title:l("bind"),onClick:()=>i.value="bind",children:"Bind"}),!t.startsWith("amq.")&&s("button",{type:"button",class:"danger",disabled:l("delete-exchange")!=="",title:l("delete-exchange"),onClick:()=>i.value="delete",children:"Delete"})]})]}),s(ue,{caption:`Bindings of ${t}`,columns:[{name:"destination",title:"Destination",cell:u=>s("a",{href:we(["queues",u.destination]),children:u.destination})},{name:"key",title:"Key",cell:u=>s("code",{children:u.key})},{name:"arguments",title:"Arguments",cell:u=>s("code",{children:Object.keys(u.arguments).length?U(u.arguments):""})},{name:"unbind",title:"Action",cell:u=>s("button",{type:"button",class:"danger","aria-label":`Unbind ${u.destination} ${u.key}`,onClick:async()=>await d(u)&&r(),children:"Unbind"})}],rows:a.bindings,rowKey:u=>`${u.destination} ${u.key}`,empty:"Nothing is bound to it."}),s("section",{class:"card route","aria-labelledby":"route-heading",children:[s("h2",{id:"route-heading",children:"Where would this message go?"}),s(Cc,{exchange:t})]}),i.value==="bind"&&s(be,{title:`Bind to ${t}`,action:"Bind",fields:[{name:"destination",label:"Queue or exchange",isRequired:!0},{name:"key",label:"Key",help:"The routing key, or a topic's pattern."},{name:"arguments",label:"Arguments",kind:"json",help:'As JSON, such as {"x-filter-jms-selector": "size > 3"}.'}],onClose:()=>i.value="",onSubmit:async u=>{await Z(H(["exchanges",t,"bindings"]),{method:"POST",body:u}),he(`bound ${u.destination}`),r()}}),i.value==="delete"&&s(be,{title:`Delete exchange ${t}?`,text:"Its bindings go with it; the queues stay.",action:"Delete the exchange",isDangerous:!0,fields:[],onClose:()=>i.value="",onSubmit:async()=>{await Z(H(["exchanges",t]),{method:"DELETE"}),w1(["exchanges"])}})]})}function Cc({exchange:e}){let t=$(null);return s(q,{children:[s(W1,{action:"Explain",fields:[{name:"key",label:"Routing key or subject"},{name:"properties",label:"Properties",kind:"json",help:'As JSON, such as {"size": 5}.'}],onSubmit:async n=>{t.value=null,t.value=await Z(H(["exchanges",e,"route"]),{method:"POST",body:n})}}),t.value&&s("div",{class:"answer",role:"status",children:[s("p",{children:[t.value.queues.length?"It would go to ":"No queue would get it.",t.value.queues.map(n=>s("a",{class:"tag on",href:we(["queues",n]),children:n},n))]}),s(ue,{caption:"Why",columns:[{name:"gets",title:"Gets it",cell:n=>s("span",{class:n.gets?"tag on":"tag",children:n.gets?"yes":"no"})},{name:"exchange",title:"From",cell:n=>n.exchange},{name:"destination",title:"To",cell:n=>n.to==="nothing"?"nothing":`${n.to} ${n.destination}`},{name:"key",title:"Key",cell:n=>s("code",{children:n.key})},{name:"reason",title:"Because",cell:n=>n.reason}],rows:t.value.bindings,rowKey:n=>`${n.exchange} ${n.to} ${n.destination} ${n.key}`})]})]})}var Oa={path:"exchanges",title:"Exchanges",inNavigation:!0,view:Tc},Aa={path:"exchanges/:exchange",title:"Exchange",inNavigation:!1,view:Mc};function $a(e){let t=[...new Set(e.flatMap(o=>Object.keys(o)))],n=e.map(o=>t.map(r=>Da(o[r])).join(","));return[t.map(Da).join(","),...n,""].join(`\r
`)}function La(e){return e.map(t=>`${JSON.stringify(t)}
`).join("")}function Zr(e,t,n){let o=URL.createObjectURL(new Blob([n],{type:t})),r=document.createElement("a");r.href=o,r.download=e,r.click(),setTimeout(()=>URL.revokeObjectURL(o),1e4)}function Da(e){let t=e===null?"":U(e),n=typeof e=="string"&&/^[=+\-@\t\r]/.test(t)?`'${t}`:t;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}function h2({name:e,rows:t}){return s("span",{class:"row-actions",role:"group","aria-label":"Export what is shown",children:[s("button",{type:"button",class:"quiet",title:"What is shown, for spreadsheets",onClick:()=>Zr(`${e}.csv`,"text/csv",$a(t())),children:"CSV"}),s("button",{type:"button",class:"quiet",title:"What is shown, a line of JSON for each row",onClick:()=>Zr(`${e}.jsonl`,"application/jsonl",La(t())),children:"JSON"})]})}var Rc=["debug","info","warning","error","critical"],Na=500,Ec=new Set(["number","timestamp","level","component","event","message"]),Oc={warning:"tag warn",error:"tag bad",critical:"tag bad"};function Ac({query:e}){let[t,n]=[e.get("level")??"info",e.get("event")??""],o=$([]),r=$(""),i=$(null),l=$(!0);re(()=>{if(i.value=null,!l.value)return;let u=new EventSource(H(["log","follow"],{level:t,event:n,limit:Na}));u.addEventListener("open",()=>o.value=[]);let f=[],g=0;return u.addEventListener("line",b=>{f.push(JSON.parse(b.data)),g||=requestAnimationFrame(()=>{o.value=[...o.value,...f].slice(-Na),[f,g]=[[],0]})}),u.addEventListener("error",async()=>{if(u.readyState===EventSource.CLOSED)try{await Z(H(["log"],{level:t,event:n,limit:1}))}catch(b){i.value=b instanceof Ve?b:new Ve(0,Ze(b))}}),()=>{u.close(),cancelAnimationFrame(g)}},[t,n,l.value]);let a=Dc(o.value).filter(u=>$c(u,r.value)).reverse(),d=u=>w1(["log"],{level:t,event:n,...u});return s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Log"}),s("div",{class:"actions",children:s("button",{type:"button","aria-pressed":l.value,onClick:()=>l.value=!l.value,children:"Follow"})})]}),s("div",{class:"tools",children:[s("label",{class:"choice",children:[s("span",{children:"from level"}),s("select",{value:t,onChange:u=>d({level:u.currentTarget.value}),children:Rc.map(u=>s("option",{value:u,selected:u===t,children:u},u))})]}),s("input",{type:"search","aria-label":"Text in the event or component",placeholder:"Event, such as audit",defaultValue:n,onChange:u=>d({event:u.currentTarget.value})},n),s("button",{type:"button","aria-pressed":n==="audit",onClick:()=>d({event:n==="audit"?"":"audit"}),children:"Audit"}),s("input",{type:"search","aria-label":"Lines with this text",placeholder:"Search these lines",onInput:u=>r.value=u.currentTarget.value.trim().toLowerCase()}),s("span",{class:"muted",children:[a.length," lines"]}),s(h2,{name:"log",rows:()=>a})]}),i.value?s(se,{problem:i.value}):s(ue,{caption:"Lines of the log, the newest first",columns:[{name:"timestamp",title:"Time (UTC)",cell:u=>s("time",{children:u.timestamp.replace("T"," ").replace("Z","")})},{name:"level",title:"Level",cell:u=>s("span",{class:Oc[u.level]??"tag",children:u.level})},{name:"event",title:"Event",cell:u=>s("code",{children:u.event})},{name:"message",title:"What",cell:u=>s(Lc,{line:u})}],isNarrow:!0,rows:a,rowKey:u=>String(u.number),empty:"No line fits."})]})}function Dc(e){let t=new Set(e.filter(n=>n.event==="connection.opened").map(n=>n.connection));return e.filter(n=>n.event!=="audit.login"||!t.has(n.connection))}function $c(e,t){return t===""||Object.values(e).some(n=>U(n).toLowerCase().includes(t))}function Lc({line:e}){let t=Object.entries(e).filter(([n])=>!Ec.has(n));return s(q,{children:[e.message," ",t.map(([n,o])=>s("span",{class:"log-field",children:[s("span",{class:"muted",children:[n,"="]}),U(o)," "]},n))]})}var qa={path:"log",title:"Log",inNavigation:!0,needs:"show-log",view:Ac};function St(e){return{...e.properties,...Nc(e.body)}}function Nc(e){let t=e;if(typeof e=="string"&&e.trimStart().startsWith("{"))try{t=JSON.parse(e)}catch{return{}}return typeof t=="number"?{value:t}:typeof t=="object"&&t!==null&&!Array.isArray(t)?t:{}}var qc={latitude:/^lat(itude)?$/i,longitude:/^(lon|lng|long|longitude)$/i,direction:/^(track|heading|course|bearing|direction)$/i,label:/^(callsign|label|name|title|flight)$/i,price:/^(price|last|mid|bid|rate|value)$/i,open:/^open$/i,high:/^high$/i,low:/^low$/i,close:/^close$/i};function D1(e,t,n){return n||(Object.keys(t).find(o=>qc[e].test(o))??"")}function $1(e,t){let n=e[t],o=typeof n=="number"?n:typeof n=="string"&&n.trim()!==""?Number(n):NaN;return Number.isFinite(o)?o:void 0}function Fa(e){let t=$1(e,D1("latitude",e,null));return t!==void 0&&Math.abs(t)<=90&&$1(e,D1("longitude",e,null))!==void 0}function Ia(e){return $1(e,D1("close",e,null)||D1("price",e,null))!==void 0}function _o({queue:e,fields:t,current:n}){let r=[{name:"table",title:"Table",fits:!0,href:we(["queues",e])},{name:"map",title:"Map",fits:Fa(t),href:we(["queues",e,"map"])},{name:"prices",title:"Prices",fits:Ia(t),href:we(["queues",e,"prices"])}].filter(i=>i.fits||i.name===n);return r.length<2?null:s("nav",{class:"segments","aria-label":"Views of the queue",children:r.map(i=>s("a",{href:i.href,"aria-current":i.name===n?"page":void 0,children:i.title},i.name))})}function Va({queue:e}){let{data:t}=X(H(["queues",e,"keys"],{limit:1}),1e4),n=t.value?.values[0];return n?s(_o,{queue:e,fields:St(n),current:"table"}):null}function ln({label:e,name:t,value:n,choices:o}){let{segments:r,query:i}=wo.value,l=o.includes(n)?o:[n,...o];return s("label",{class:"choice",children:[s("span",{children:e}),s("select",{value:n,onChange:a=>w1(r,{...Object.fromEntries(i),[t]:a.currentTarget.value}),children:l.map(a=>s("option",{value:a,selected:a===n,children:a||"–"},a))})]})}function g2({isLive:e,rate:t}){let n=t?t.updates-t.values:0;return s("p",{class:"follow-rate","aria-live":"off",children:[s("span",{class:e?"tag on":"tag warn",children:e?"live":"waiting"})," ",t?D(t.values):"–"," values/s",n>0&&s(q,{children:[", which stand for ",D(t?.updates)," updates/s"]})]})}var Fc=8,Wa=250,Ha=5e3,Ic=45e3,Vc=/\r\n\r\n|\n\n/;async function v2(e,t,n){let o=Wa,r={id:""};for(;!n.aborted;){let i=new Xr(n);try{let l=await mr(e,{signal:i.signal,headers:Wc(r.id)});t.begin(),await Hc(l,t,r,i,()=>o=Wa),t.lost("the stream ended")}catch(l){if(n.aborted)return;if(i.signal.aborted&&(Dt.value=!1),l instanceof Ve&&!l.isUnreachable&&l.status!==429){if(t.refused(l),!l.isOfNothing)return;o=Ha}else t.lost(i.signal.aborted?"the gateway has said nothing for long":Ze(l))}finally{i.end()}await Qc(o,n),o=Math.min(2*o,Ha)}}var Xr=class{constructor(t){this.page=t;t.addEventListener("abort",this.stop,{once:!0}),this.restart()}page;ended=new AbortController;timer=0;stop=()=>this.ended.abort();get signal(){return this.ended.signal}restart(){clearTimeout(this.timer),this.timer=window.setTimeout(this.stop,Ic)}end(){clearTimeout(this.timer),this.page.removeEventListener("abort",this.stop)}};function Wc(e){return{Accept:"text/event-stream",...e?{"Last-Event-ID":e}:{}}}async function Hc(e,t,n,o,r){let i=e.body.getReader(),l=new TextDecoder,a="",d=performance.now();for(;;){let{done:u,value:f}=await i.read();if(u)return;o.restart();let g=(a+l.decode(f,{stream:!0})).split(Vc);if(a=g.pop()??"",zc(g,t,n),r(),o.signal.aborted)return;performance.now()-d>Fc&&(await Kc(),d=performance.now())}}function zc(e,t,n){let o=[],r=()=>{o.length&&t.values(o),o=[]};for(let i of e){let{kind:l,data:a,id:d}=Bc(i);if(l==="value"){let u=Uc(a);u!==void 0&&o.push(u)}else l!==""&&(r(),jc(l,a,t));d!==null&&(n.id=d)}r()}function Uc(e){try{return JSON.parse(e)}catch{return}}function jc(e,t,n){if(e==="removed")n.removed(JSON.parse(t));else if(e==="snapshot-begin")n.begin(JSON.parse(t).partition);else if(e==="snapshot-end")n.snapshotEnd(JSON.parse(t));else if(e==="partition-lost"){let o=JSON.parse(t);n.begin(o.partition),n.partitionLost(o)}else if(e==="error"){let o=JSON.parse(t);throw new Ve(o.status,o.detail)}}function Bc(e){let t="",n="",o=null;for(let r of e.split(/\r?\n/))r.startsWith("event:")?t=r.slice(6).trim():r.startsWith("data:")?n+=r.slice(5):r.startsWith("id:")&&(o=r.slice(3).trim());return{kind:t,data:n,id:o}}function Kc(){return new Promise(e=>document.hidden?setTimeout(e,1e3):requestAnimationFrame(()=>e()))}function Qc(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()),{once:!0})})}var Hn=class{current=0;ofAll=0;begun=new Map;ended=new Map;begin(t){this.current++,t!==void 0?this.begun.set(t,this.current):(this.begun.clear(),this.ofAll=this.current)}end(t=0){this.ended.set(t,this.current)}isOpen(t=0){return(this.ended.get(t)??0)<this.beganAt(t)}isLeftBehind(t,n=0){return t<this.beganAt(n)}beganAt(t){return this.begun.get(t)??this.ofAll}};var Gc=1e3;function zn(e,t,n={}){let o=me(()=>({problem:fe(null),isLive:fe(!1),rate:fe(null),sample:fe(null)}),[]),r=H(["queues",e,"follow"],n);return re(()=>{let i=new AbortController,[l,a]=[0,0],d=new Map,u=new Hn,f=new Set,g=performance.now(),b=setInterval(()=>{let m=performance.now(),_=(m-g)/1e3;o.isLive.value&&_>.9&&(o.rate.value={values:Math.round(l/_),updates:Math.round(a/_)}),!(o.isLive.value&&_<=.9)&&([l,a,g]=[0,0,m])},Gc);return v2(r,{begin:m=>{o.problem.value=null,u.begin(m)},values:m=>{for(let _ of m){let M=String(_.key),w=d.get(M)?.updates??0,T=_.partition??0;d.set(M,{updates:_.updates,partition:T,snapshot:u.current}),u.isOpen(T)||([l,a]=[l+1,a+_.updates-(_.updates>w?w:0)]),t.take(_)}o.sample.value??=m[0]??null},snapshotEnd:({resumed:m,partition:_=0})=>{if(u.end(_),f.delete(_),o.isLive.value||([l,a,g]=[0,0,performance.now()]),o.isLive.value=f.size===0,!m){for(let[M,w]of d)w.partition===_&&u.isLeftBehind(w.snapshot,_)&&d.delete(M);t.retain(new Set(d.keys()))}},removed:({key:m})=>{d.delete(String(m)),t.remove(String(m))},partitionLost:({partition:m})=>{f.add(m),o.isLive.value=!1},lost:()=>{f.clear(),o.isLive.value=!1},refused:m=>o.problem.value=m},i.signal),()=>{i.abort(),clearInterval(b)}},[r]),o}var za=`1564-1120-96 10
1468-1110-16 9-1 11-50 12-18 25 2 26-21 3-5 19-51 28-11 30-35 49 1 8
1263-890 37-9 51 1 46 53 41 18 8 28 28 14 46 3
1520-782 2-18 40-1 35-20 50-15 3-82-15-29 7-8-3-14 11-30-25-34-7-24 4-8-58-55
1263-890-26 14-68-6
1169-882-62 52-5 17-3 163 99 1 0 105
1198-544 20-13 1-14 45 10 3-20 34-14 40-3 17 19 21-32 42-15 30-42 27 6 11-10 1 64-15-3-1-10-21 4-29 26-6 17 14 46-2 44-10 23 24 22 1 15 92 14
1537-410 15-20 16 0 29-23 49-17
1646-470 4-11 10 0 8-12-2-9 17-26-20-17 6-13-7-13 1-35 13-11-25-15-3-29-14-19 16-21 10 0
1660-701-148-48 8-33
2654 832-38-17-7-17 2-15-31-16-112-35-35-29-33-1-30-19-31-10-56-6-31-26-52-11-26 5-12 28 2 22-9 16-8 46-14 15 7 4 0 53
2140 819 18 15 2 34 11 8 25-10 61 5 79-8 13-15 8-1 15 9 37 52 43 21 147 21
2599 950 55-118
2688 632 37-4-39-12-20 11 11 9 11-4
5203 520-2-19-9 18 11 1
5399 1075-29-11-2-11-10-6-24 3 4-13-12-23-27-17-18-49 13-23 31-28-1-11-6 2 74-72 9 1 40-48 24-76-1-29 7-16 1-18-5 8-6-6 4-12-5 1 0-35-11-19-44-22-5-9-37-16-13 13-3-13-11 7-6-4 8-8-15 0 16-9-9-13-23 18 18-20-1-13-32 22 16-30-33-15-19-24-17-1 6 7-3 43 12 20-33 21
5221 521 21 6 10 8 0 11 14-4 22 7 20-9 0 12-15 13 0 17 7 6 20-4 1 13 54 21-1 34 6 20-14 34 10 29
5376 735-2 14 9 14-25 27 12 12-27 24-10-1-8 23-67 69-1 16-62 32 8 9-1 10 27-3 17 20-4 9-24 12 11 10-24 15-23-12-27 10-12 18 4 21-6 6-8-6-27 35
5106 1119 17 19 26-16 17 17 9-10 6 10 16-12 10 13 12-5 15 6 9 16 21 10 28-21 15 2 32-9-11-14 5-26 15-3 20-16 20 3 11-8
-3192 557-4-13-24 5 28 8
-3001 427 9-15-44-35 4-16 16-4-2-7-39-15 0-24-12-14 32-37
-3037 260 6-15-19-18-58-22-16 2-12-6-7-21-24 17-34-1-9 10-29 8 28-35 9-54 33-4-3-13-28-11-10-20-45-22-19-20-10 14-33-11-27 23
-3344 61-17 58-20 21-12 0 27 31-17 22-10 32 2 39 17 33 0 12-19 6-78-9-36 42-30 7-63-3-24 24 6 32-22 47-13 8-15-3 18 29 15 53 23 18 14 23 32 10
-3566 593-32-15 18-45-26-42 25-39 19 6 9 27-22 42 2 21 68 28 15-2-1 10-19-3-4 13 14 15 18-35 41-2 21-14 13-33 95 7 19-19 36-10 48 20 22 2-28 7 121 5-25-10-27 0 12-13-3-11 10 7 11-21 12 10 17-17-1 9 9 4 39-27-11-10-11-28-19 0 16-10 25 10 39-3
8337-741 3-17 14 11 6-25-5-7-17-3-7 12-3 38 9-9
8371-805 21-17-19-6-6 20-9 4 2 10 11-11
8422-839-13-1-2 8 15-7
8415-817-19 6 12 7 7-13
8422-877 4-13-18 4 14 9
8411-799-3 26 3-26
8409-766-3 17 3-17
8475-977-8-4-5 14 13-10
8467-947-18 3 2 12 6 0 10-15
3547 2112 14-4-52-31 61-21 1 11 8 0 4 10 11-17 14-1 1-8 48-10-27-15-10 3-2-9-11 2-22-14-37 4
3548 2012-18-1-11 8 18 17-17 16-34-19-18 5-8-10 4-18-33-2 18-3-9-2 4-8-12-3-9-15-37 4-15-8-3-12 15-4 2-7 22-4-3-22 14-13-25-32-5-20
3388 1859-62 8
3326 1867 3 34-48 11-93 46-64 41-29 56-20 9-52-3-18 9-1 18 6 2-13 9 2 12-31 5-39 23-21-8 16-16-23 9-10-15-27-3-16-13 8-25-5-5-52 3
2799 2066 0 184 129 28 122-58 50-45 60 6 62-3 23 8 30-20 15-22 15 6-5-50 25 0 11-41 61 1 9-9-4-11 19-9 8 0 0 13 29 27 89 41
-2669-1687-20-32-19-15-37-13-39 8-28-6-47 22-32-1-29 28 2 37 14 14-6 21
-2910-1624 1 28 9 12 9 41-3 13 14 21
-2880-1509 19-5 19 9 40-34 2-15 20 11 21-21 30-10 18-19 23-10 8-17 24-17-21-22 0-24 8-4
7237 663-5 8 14 9-9-17
-3307 922 25-3 1-7-26-15-53 3-3 18 5 7 51-3
-6637 2826-10 2 5 12 14-11-9-3
-6639 2812-13 6 20 4-7-10
-7228 2991 16 10-16-10
-8573 3182 51 3 44-16 42-3-7-7-25 0-16-11-42 21-64 2 3 14 14-3
-8307 3019 21-3 6-20-27-8-50 12-15 10 65 9
-7645 2891 24 0-3-6 13-6-10-6-26 2 13-8-53-14 5-5-17-9-5 2 14 9-22 7-7-2 10-5-8-4-18 21 8 11 21 5 22-18-8 28 18-6 13 3 3 9 13-8
-6501 2794-6-11 5-18-9-14
-6511 2751-18-13
-6529 2738-13 2-10 18 15 8-20 34 5 4-37-10-8-16-9 1-4 9 18 20 14 2-31 11-31 24-1 8-32 6-9 23 26-4-21 15 17 1-26-2-16 12 8 22-16-14-29 11-18 19-11 29-7-11 21-48-41 8 2 9-9 12 11 4-10-1-6 8-4-14-39 14-3-8 22-4 10-5-3-4 21-8-27-11-47 17-49 29-63 18 13 9 0 13 9-4 3-13 3 10 12 1-23 9-49-15-49 9 6 5-6 6-14-8-63 7-60-4-2 7-36 9 10 16-27-14-33 5 11 9-45 3 9 5-12 4 2 8 16 3-54-10-32 1 12 14-29-8 7-2-7-8-11-2 15-7-19-10 34 0-11-4-1-12-13-9-47 6-10-16-6 7-3-8-11 1 2-5-12-6-20 0-17-16-50 1 45 26-21-7-20 7 23 25 4 23 44 14 68-7-49 15 37 16-6 0-27-11-48-4-40-14-1-8-25-12-5-9-33-2 20-13-30-10 9-1-3-6-28-3-21-14-5-10 38-10 5-4-6-6-42-23 2-7-38-7-72-33 2-8-11-10-90-28-7-6 14-6-11-7-5 6-9-10-37-9-7-9-6 11-70-23-14 0 2 8 11 0-16 4-28-24-15-4-12 9-3-12-22 3-1-7-10-4 3 14 19 4 60 35 24 6 16-1-5-6 10-6 5 6 20-4-12 10 12 16 69 28 12-4 1 12 17 13 24 11 19-1-12 9 4 19 21 7-14 3-2 8 27 16 9 20-17-13-53-13-15 12 4 7 17-1-17 5-20-5 2-27-9-2-36 26-12-5-22 12-50-20-39-1 21 8-3 11 7 4-17 2 8 22-30 35 24 20-10 0-27-21 8-3-3-11-66-9-58 31 2 4-17 2 28 18 24-6-3-9 19 8 13-8 16 8-24 5 16 2-77 2 13 9-24 4 3 4-5-9-9 0-15 12 1 10-13-2-3 8 18 2-14 5 23 4-4 11 25 19 22 1-4 4 13 6-11-4 0 15 21 5-7 5 6 5 23 1 16-6-6-5 23 1 33 11 17 13 39-3 29 10 7 8-10 22-26 9 28 7 3 11-12 6-32-5-48-22-24 14-5-3 12-4-4-5-29 8-63-6-58 6-17 7 3 10-25 12 38 6-62 7-34 12 84 24 39 0-10 7 68 15 41 0-13 0 6-2-13-16 17-7 88-2 24 12 21-5-4 8-40 4-34 24 12 2 39-24 67-2-6 10-52-3-23 7 12 14-5 2-91 4-29 25-133 38 20 3 9 23 117 8 35 17 10 19 54 29 6-4-16-5 54 7 44 15 8-2-7-11 12-3 2 11 22 1-35 6 20 7 88 4 72 27-4-3 49-11-28-10 8-4 52 12 13-5-5-4 29-5 48 7 47-5-9-9 36-5-9-5 133 2 79-14 154-12 70 7 111-23
-7050 3483 0-468 51-6 15 7 30 1-5-13 79-43 8-16 43 13 6 15 9 1-2 6 42 10 22-11 5-15 77-43 58-61-5-6 15-3-3-8 12-3 2-11 86-24 4-11
-8174 2749 20-16-50-2-26-11-15 7 21 18 34 7 16-3
-6665 2777-17-14-5 12 22 2
-6567 2754 5-9-18 6 1 11 12-8
-6606 2805-1-8-11 0-17 13 16 15 16-13-3-7
-6549 2774-10-14-13 10-16-12-4 10 11 24 18 6 13-12 1-12
-6668 2850 20-6-2-13-16 11 8-11-3-8-21 1-2 16-15 10 31 0
-6643 2745 12 0-4-11-36 31 16-4 12-16
-7320 3023 15-2-25-8-5 7 15 3
-7387 2991-7 0 35 27 11-4-39-23
-7650 2856-19-3 5 6 19-2-5-1
-8034 2766 6 3 4-10-16-2-2 10 8-1
-7994 2756-17-10 2 10 13 7 2-7
-8292 2704-13 3 20-2-7-1
-8046 2929-11 4 21 7-10-11
-8637 3023 25-8-42 10 8 5 9-7
-8857 2586-27-1 29 11-2-10
8973 2569-41 13 41-13
8686 2618-16 2 19 5-3-7
-6749 2868 17-30-2-27-15 15 5 8-23 7 7 10-13 11-18-12 0 14 19 13 23-9
-6734 2908 22-1 21-26-24 21 20-34-27-15-9 4 7 17-22 44 12-10
-6787 2912 6-12 14 6 19-5-1-10-18-3 18-2 2-12-31 9-7-12-11 1-32 27 12 12 9-6 20 7
-6678 2817 18-1 5-11 25-10 21-21-17 6-6-6 33-14-2-24-55 30 8 4-4 9-32 10 22 7-7 6-18-4 10 9-1 10
-6699 2842 12-10-10-26-12-2-1 17 6 2-15 19 12 5 8-5
-7621 2918 22-6-47-12-23 4 30 10-3 7 21-3
-8398 2667-56-25 20 19 15 3 5 11 24-1-8-7
-8331 2695 20 2-17-12 13 0-23-11-53-8 54 20-17 3 2 8 18 3 3-5
-8678 2607 27-3-49 2 22 1
-8734 2602-31-1 50 10-7 5 14 5 7-4-5-10-28-5
-8830 2593 8-5-26-8 13 19 5-6
-8894 2583-16 11 28-3-12-8
8871 2594-9 1 22 10-13-11
8641 2651 31-8-25-5-22 9 16 4
-7779 951-15 3-8 33 11 14-1 13 32-14 20-24-39-25
-7861 1061 25-3-29-2 4 5
-7824 1047 24-9-20-8-15 17 6 5 5-5
-7890 1073 8-8-24 1-8 13 16 6 8-12
-7969 1097-20 5 21 9-1-14
-3735 2250 159 0 10 14 23 0 28 31 15 40 38 38 9-2 6-10 31 7 26-14 0-68 18-6-2-16 6-5 12-1
-3356 2258 7-17-11-7-32-5-11-10-19 6-5-12-14 4 3 12-19-27-24-8-2 6-8-11-12 3-11-8-27-43 10-10-21-14 15-6 16-23 21 3-12 14 7-1 8-20-36-7-2 9-23-12 1 13-13 3-6-21-70-5-53-26 5 15-4 9 2-16-17-20 14-6-5-31 1 11-37-50-8-3 3 10-31 17 5 15 17 10-25-17 9-27 16-16-5-9 7-9-45-63-2 12 16 28-10 1 0 19-10-4-10 8 0 8 12 1-16 5 9 7-8 2 9 9-5 6 18 9-6 2 6 5-9 2-18-17-8 2 8-7-7-3 8-35-13 9 16-23-33 18-12-2 10 24-11-14-1-12 12 0 39-23-4-11-8 0-31 24 41-29 2-11-10-4-15 11 24-22-6-3-12 11-31 5 29-7 10-14 24 1 23-55-20 42 6-27-16 8 0-7-21-6-9 10 1-13 32 1 0-14 11 13 5-6-1-10-20-14-20 9-8-5-15 4 26-12-13-15-15 9 5-7 26-2 1-7-43-12-6 7 2-11-19-12-8-17-2 11-3-12-19 0-22-10-18-24-1 8-3-13-33-17 0-7-35-7 8-5-5-7-11 8 5-11-21-17-3-17-10-9 5-5-8-3-4-20 13-50 37-66 3-29-7 31-5-9-7 21 40-98-4-48-18-31-32-4-1 8 10-2-21 29-18 7-12 26 7 9-11-6 1 20-14-4-21 31 16 18-14 5 3-9-6-4-5 7 9 52-52 52-17 9-14-2-3-8-47-11-2 10-16 12 4 8-8-6-35 12 17 0-7 5-47-8 11 5-1 6-14-11-36-5 11 3-12 20-6-17-38 3-34-13-27 10-11-4-4-7 12-6 22 8-4-9 9-5 12 7 2-11-18-10 35-21-18-11-7 13-32 15 5-10-8-12-8 10-19-8-27 7 7 2-4 12-14 0-19 14-18-14-46 11-32-3-1 13-3-15-43-15 12 8-13 0 2 11-14-3 7-16-20-21-48-24 11 8-22-2-9 5 11-12-13-6-5 4-3-11-16-3 4-8-18-7 8-8-8-18-16 7 14-11 2-38 15-26
-4857 1298-12-4-86 28-18 31-2 24-40 39-23 43-31 28-48 6-20-11-8-21-18-11-57 29-26 50-76 59-89 1 0-22-141-1-190 59 6 11-120-9
-5856 1627-17 38-31 21-17 1-4 14-32 5-23 15-52 8 0 25-62 63 4 26-30 17-5 17 3 13 18-16-12 26 40 3-44 4-6-16-24 8 5 11-40 35-7 44-24 24-3 12 10 14 5 34-23 68 20 44 11 94-4 32 39-3-43 6 2 16 5-8 3 11-12 10 14 5-15 0-12 35-14 16-3 20 37-11 60-1 6-13-24-26 11 2-7 3 26 23-7-15 5-16-9-4-3 6-10-10 16-1 17 13-2 20 8 12-14 7 5 7-12 8 8 2-1 8-13 17
-6139 2450 1381 0 0 18 15-3 12-28 46-11 35 5 25-9 4-8 21 1 24-12 30 7 73-10 54 15 175-70 16-22 21 4 8-23 18 2 8-6-7-9 52-24 21-88-20-48-30-24 6-15 16-8 71 26 52 8 60 22 6 5-13 28 17 6 101 2 34 34 48 30 24 5
-3626 2049-3-3 34 7-65-20-42-1 23 14 48 4 17 8-12-9
-3777 1762-7-1 7 3 2 24-2-26
-3825 1732 15 15-15-15
-4019 1257-10-9 16 19-6-10
-4838 1408 18 11-18-11
-4868 1365 15 26-15-26
-4859 1308-11 33 1 19 10-52
-6129 2408 10-12-18 15 6 8 4-4-8-4 6-3
-3767 1894 12 21-12-21
-4009 1364-13 29 13-29
-4245 1482-11 0 19 5-8-5
-1855-2703 39-10 26-25-14-5-40 26-57 17 46-3
-2943-2564 22-2-4-8 11-5 1 8 14 2 9-7-8-3 8-3-44-15 1-8-27 4 7-8-17-6-7 3-5 5 3 11 26 12-2 9 12 11
-3014-2573 51 2-33-28-16 0-7-9-29 5 36 14-17 3 17 4-16 14 14-5
-221 2709-18-5 18 16 0-11
-133 2581-45-10-16 9-18-2 7 5-14 4-26-6-18 13 56 22 8 11-6 19-29-6 21 17 42 10 16-4-3 7 5 1 16-6-16 11 10 33-15-3-22 22 7 11 21 9-46-9-43 3-5-8-11 9-2 6 25 26-11 10 4 11 12 1-13 6 2 5-21-14 0 9 11 9-19-11-9-32-10-1 13 22-6 1 4 22 18 25-24-11-24 9 21 7-7 2 15 17-13 10 12 5-8 6 7 11 22 0-13 9 4 9 17 1-4 6 5 10 96 3-8-16-39-18-2-5 9-2-14-12 42 7 72-5 4-7-36-42-41-14 22 2 10-7-34-12-21 4 82-10 24-16 21-44 58-29-6-5 16-21-39 6 18-1 29-18 4-9-16-13 12-5 14 8 36-2 19-8 4-9-7-23-18-7 2-7-26-5 7-8-24-6 50-5-1-9-22-13-38-8-81 7 4-4-35-5 0-6-48 6-20-4-14-20-26 8-26-5-20-13-27 2 38 23 36 32 52 1 35 27-11-6
-210 2666 8-1-17-8-9 12 18-3
-65 3027 12-5-12-28 0 14-18 6 14 3-10 8 14 2
-153 2951 15-3-30 3 6 6 9-6
-289 2817-27-2 9 10-9 4 11 3 17-7-1-8
-306 2797 2-14-11-3 0 9-10-4 19 12
-299 2791-5 4 18 11-13-15
-310 2918-18-13 7-4-27-13-6 3 11 5-10 4 2 11 15-2-3 6 27 10 2-7
-307 2875 0-9 24-5-16-9-3 8-14 0-22 12 20 11 11-8
-360 2884 5-3-4-4-17 3 16 4
-311 2704-22-1-17 17-18-14-38 15 18 9-8 5 18 3 17 17
-361 2755 37 7 22-5 16-16-8-9 15 1 5-8-10 2 4-13-21-11-10 1
-53 2535-10-6-15 4 12 6 13-4
2815 1283 4-34
2819 1249-16-12-3 11-10-5-2-31 11-9-26-6 4-6-18-56
2759 1135-4-4-127 16-48 57-2 10
2578 1214 10-1 4-12 14-2 26 9 58-4 17 5 13 5 13 22 64 54 7 13
2804 1303 3-18 8-2
1911 2355-34-1-37-18-49-5-40-26 13 9-2 8-19-12 7-23
1750 2287-39 18-28 6-3-6
1680 2305-56-1-33 10 9 8-22 6 40-4 11 7-27 1-14 29 8-15-2-13-17 0 1 6-8-8-30-3-29-35-29-7 3-23
1485 2263-15 8-32-9-27 11
1411 2273 14 3 0 7 22 19 1 21 59-2-11 6-2 14-15 7-2 16-20 10-1 24-79 26-46-11
1331 2413-16-3-7-10-59-14-20 11-69 7-16-7
1144 2397-37 23
1107 2420 20 34
1127 2454 16-1-8 6 0 21 69 47-5 12 6 5-25 32
1180 2576 5 6 14-2 19 13 71 3 68-8 28-14 24 6 28-8 18 9 12-12 41 5 19-11 0 17 11 15 16 9 34 1
1588 2605 18-2 16 12 65 2 33-28-14-5 5-21 42-3 13-8 5-25 9-9 26 2 25-10 40 11 31-25 11 7 91-24 1-16-21-13 16-9-10-1-8-10 10-3 6-14-9-19-44-1-27-12-7-26
1601 2310 7-2-30 5-3 6 26-9
1695-50-170-3
1525-53-29-20-5 6-12-2
1479-69 7 74 11 36 66 61-4 11-23 10 6 51
1542 174 16 15 19-5 13 6 17-14 10 9 33 9 24-6 25 23
1699 211 9-20 14-8 0-25 21-29 6-40-9-27-16-10-27-43-2-59
3326 1867-38 11-10-15-37-6-15-40-25-16-45-9-3-20-19-9-19-4-16 13-18 0-18 9
3063 1781-7 51-39 0-20 20-24 11-8 13-24 8-28-1-45 16-8 12-38 1-8-8-45-1-24-14-10-15-39-7
2696 1867-3 80-8 14-18 6-9-4 4 17 18-3-6 18-25 4 3-10-15 31 10 32 10-11 24 0 12-9 26 3-3 7 18 2 1 10-30 22-15 30-42-7-7-13 2-26-18 29
2625 2089 28 18 53 10 37-19 29-33 27 1
2076 2076 47-4 15 7 34-24
2172 2055 14-19-8-12 5-18 31-4 24-17
2238 1985 3-2
2241 1983-12 5-9-17-19-2 13-27 1-23 8-2-12-22 18-9 0-14 11-8-2-7
2238 1857-24-8-8 16-22-4-45 8-21-14
2118 1855-8 10-34-11-41 1-67-21-30 1-28 10-38-13-39 8-6-17 5-11-13-3-11-17-13 4
1795 1796-4 19 18 18-7 12-32-16-35 12-50-32-45-7-21 7-18 18-39 14-30 2-10-30-38-5-23 8-12 20-34 5-14-9 3 6-31-2 27 6 12 9-49-2 2 7 12 2-24 25 8 3 1 13-48 15 8 18 12-15 23 6-12 1-7 12 13 8-10 4 2 8-9 9 11 13-39-5 3 26 28 21 27 3 22-7 6 3-5 5 7 2 4-8 52 2-11 7 53 10-36 10 1 14 106-6 52 31 54 15 68-3 13 5 8-2 7-15 38-2 17-20 19 4 14-9 66-13 52 9 42-7 63 28
1401 2098 9-20 43-17-5-11-39 4-34-5-12-15-53-30 3 12 27 15-35 0-3 5
1302 2036 15 12 0 14 14 8-2 10-13 6
1316 2086 15 12 31 7 15-9 24 2
575 1659 0-38-61-37-8-11 5-34-16-20-19-8
476 1511-24 93-35 23-11 26-19 10-12 29 1 12 36 33 8 23-8 30 6 28-8 8 19 21
429 1847 55 20 8-2-1-8 3 6 16-3 11-23 32 17 3-10-32-35 5-15 21-12 6-20-54-55 13-21 21-2 0-8 12 5 12-19 15-3
-3051 507-44-4 20 10 1 17-9 6 37 6-6-8 1-27
45 550-7-31 29-19 2-32 11-15 1-103-4 0 12-35-8-4
81 311-22-7
59 304-22 19-11 20 6 25-7 9 9 41-15 20 5 5 2 27-14 3 7 42-23 19 0 22
-4 556 49-6
6253-476-5 15 9 9-10-1-1 6
6246-447 23 18 79 13 17-5-19-15-93-40
6202-467 20 8
6222-459-8-12-12 4
4920 395-5-6 1 19 4-13
5006 1016 10 3 10-10-6-21 6-10 35-1 3-28-12-27 5-15-9-30 10-2 47 36 28-20 20 10 15 20 29-5 40-43 4-50 41-40-7-20 0-33-16-13
5259 717-5-6-15 10-79-4-15-10-18-28-11-2 9-44 13-12-1-16 10-20
5147 585-17 25-3-5-35 27-47 1 3 39-18 6-18-4-13-12 6-10-6-43-41-93 5-53 29 1 7-35 15-16 13-52-14 28-5-9 13-21 30-16 24 0 30-31
5105 312-11-21-10-2-6 6-22-13-7 7 4 23-40 22-7-12
5006 322-21 22-5 24-12 1-33 44-6 4-14-6-3 27 23 72
4935 510 3 23 43 56-25 63 1 34-47 63 0 11 18 8 2 34 14 16-11-1-11 32-37 41-3 25-13 11 18 3 4 44 10 14 45 2 8 16 20 3-1 10 22 3 11-5
1975-309-1-14-15 14 7 23 9-23
1993-245-6-27-5 4 2 22 9 1
1537-410-26 58-34 36-3 15 6 15-14 41 4 23
1470-222 27 7 42 51 0 15-17 5 6 24
1528-120 13 3 3 10-3 29-16 25
1695-50 187-102-2-23 81-60
1961-235-21-69 4-13 33-34-13-25 8-25-7-21 17-38 4-40 37-23
2023-523-57-33-41-15-29 6-10-14-17-7-20 8-34-7-19 12-18-7-30 1
1748-579-18 25-2 42-12 25-16 12-6-9-48 14
1986-399-6 2 15 15-9-17
3548 2012-22-15-28 13-22-5-2-9-10 0 1-20 60 3 15-9 33 10 16-16 13 4 9-8 17 9 54 3
3682 1972 8-42 9-3 15 6 27-10 4-43 11-11-12-7
3744 1862-27 9-34-9 3 9-17 2-36-22-50-16-11 21 7 39-15 1-1 19-19 8-33-27-2-17-34-1-10-22-19 11-43-20-15 12
6050 1131-8-35-30 40-8 22 3 25 45 69 28 12 16-15-26-90-20-28
2118 1855-29-25-24-11 3-37-8-44-11-17-110-52
1939 1669-98-53-22 3-30 18
1789 1637 7 10-3 25
1793 1672 9 7-4 8 20 5-3 6 14 13-13 14 3 8-20-2
1799 1731-4 40-7 8 7 17
476 2376 5-3-5-9
476 2364 3-11
479 2353 28-10 10 6 6-6
523 2343-1-16-18 3 2-18-9 6-21-3-5 9-8 0-12-32-28 20-2 10-32-26-38 0
351 2296-12 12-1 13-17 1-11-12-11 1 24 36 27 19-2 7 19-1 14 8
381 2380 40 0 8 9 47-13
954 2892-13-7 4-15-38-24 7 8-9 10 2 14 20 14 27 0
826 2815-6 1 1 12 35 38-30-51
569 2952 13-6 8 19-6 15 13 13 27 12 5 18-14 27 20 3 9 15-36 18 7 28-9 16 5 20-11 15 9 15 31 20 63 5 1 18-22 6 42 36 8 25-5 17 47 8-3 9 49 29-14 18 23 10 10 14 27 10 30-7 13 12-1 16 7 2 84-10 13 6-14 3 19 15-11 9 25 1
1031 3452 69-26 43-8 39-20-7-4-2-21 14-2-5-14 17-16-14-17 0-11 23-23
1208 3290-53-3-35 6-7-13-35-10 2-7-9 3 8-10-22-16 19-17-38-30-108-34-14-9 9-1-2-4-14-5-15 4 8-14-20-7-11 2 0-8 11-5-13-19 4-9-13 2-3-7 5-44 21-8 15 3 52-39-52-23 33-2-17-11-65-22-38-1 35-7-13-3 6-11-11-20 5-16-9-12 2-10-30-45-60-1 2-5-27-10 6-16-8-6-65 1 5 16-25 28 16-2-7 9 10 1 1 8-23 14-34 41-2 13-13 7 0 11-10 1-5 31 12 3
1597-1298 6-3 3-41
1606-1342-6 1-2-24-25 0-20 9-13 18 0 17 20 29 11 5 26-11
-2708 268-16-26 6-39 18-31-10-15 0-16-21-25
-2731 116-18 14-38-10-11 6-9-13 11-19-28 3
-2824 97-11 5-25 41-5 26-17 1-21 35 9 39 27 7 7 26
-2860 277 12 23 53-15 4 13 49 1 39-9-5-22
1542 174-58 55-11 2-12-11-25 5-15-9-11 2-40 37
1370 255-13 31-31 17-11 20 3 9-54 39-4 19-17 17-28 8-8 18
1207 433 20 11 12 45 14 26 8 1 32 4 3-11 37-35 61 6 8-14 40 0 7 14 25 8 6 15 20 11 38-27 23 3 60 64-4 31-13 15 33 1-1 10 24 0-6-31 2-43 39-28-1-34 10-2
1704 473 0-46-40-5-14-27 45-20 40-42 14-40 14-18
1763 275-64-64
1207 433-30 8-4 15 8 11 1 24-39 55
1143 546 3 21-16 12-9 48-30 12 20 27-6 24 22 18-8 20 15 8 13 22 0 19 8 8 44 1 0 189
1199 975 0 25 50 0 0 100
1249 1100 312 0 9 10 2-10 271 0
1843 1100 3-21 17-24-6-6 3-43 14-65 56-41
1930 900-19-22-34-12-7-13-19 0-5-38-25-58 5-44
1826 713-20-75-22-7-28-40-9-48-8-6-10 7-12-11-13-60
3999 491 14-1 23-22 33-46 25-58-1-19-11-24-46-22-23 1-8 8-12 34-7 67 1 6 2-14 15 78 17-5-19 8-3 9
157 1989 16-4-19-20-19 12-16 2 39 20-1-10
215 1992-22 11 18-1 4-10
72 1946-11-1 6 9 14 0-9-8
-90 2170 20-8-3-9 8 2 36-15 61-6 3 8 36-12
71 2130 1-8 13 3
85 2125 17-7 59 4
161 2122 1-25-12-9-46-24-52-11-16-12 9-5-15-5-46-55 6-23 20-15-36-22-15-28 5-6-46-13-24-30-112-3-16-11-25-4-9-14-13-6-21 8-17 23 8 14-9-4-23 22-27-5
-370 1859-2 27 24 23-7 0-12 14 17 30-27 30 28 7 4 11-7 7 12 9-6 33 35 27-16 7-4 13-77-6-5 16-26-10
-439 2097-5 8 9 9-6 0 5 7-5 11-11-2 6 10-16 9 3 10 47 13-1 7 28 9 32-10 61 4 66-11 46 5 63-10 27 4
-817 1419-16-19-12 17 39 12-11-10
-686 1446-7-3 4 10 16 9-1-12-12-4
-710 1408-15-3 13 6 12 24 7 2-3-24-14-5
-770 1407-2-16-11-3-7 6 6 14 14-1
-892 1425-8 13 4 4 10-6-6-11
6332 1889 23 25 47 1 17 16
6419 1931 52-78-1-50 9 0-8-28-17-19-28-1-4-12-20 8-16-3 0-12-16 5 4-10-8-8-7 4 3 11-35-22-14 18 17 7-9 0-6 17 16 21-7 3 14 12-11 14-3 27-16 4 16 11 20-9 5 6-12 13-5 29
6316 1661-8 5 9 7 21 5 9-6-31-11
1564-1120 13-54 22-49-2-75
1606-1342 38-1
1644-1343-17-67-13-21-47-38-68-97-106-87-62-32-41-2-11-15-29 3-9-9-11-1-45 9-57 0-39-19-63-4-25-16-36 8 2 6-12 8-14-1-3 14-11 0-7-11 2 29-29 45 23 16-5 38-44 65-19 52-26 39
822-1431 16 8 6 17 9 4 15-12 4-21 33-9 53-3 19 18 22 6 0 184
999-1239 23-18 18-39 1-12-10-14 3-19 51-1 45 35 23 41 16 1 26-15 42-11 35 5 24 49 24 6 22 19 12 33 34 19 23 25 57 25
1437-1505 18 9 15 32-39 35-44-18-19-26-15-8 16-35 19-14 15-2 17 25 17 2
2077-85-28 41-1 185 46 58
2094 199 7 8 42 9 8 12 26 14 70 4 152 154
2399 400 48 73 0 90
2447 563 59 13 34 23 23-7-9-25 3-34-5-11 8 6 9-7-22-4-6-46-48-73-41-89-53-84-55-61-42-40-56-34-60-47-87-92-22-36
2399 400-50 0-150 50-25 19-32 41-9 20 13 20
2146 550 16 25
2162 575 31-36 26-17 28 0 44 20 37-5 42 22 77 4
8307-538-17-1 11 6 6-5
8029-590-29 11 0 5 29-16
8077-481 1-7-8 4-2 16 9-13
7888-412 7-13-4-6-13 18-17 0 13 15 14-14
7834-396-9 11 3 6 12-7-6-10
7987-464 11-8 20 1 23-22-48 3-12 13 0 11 6 2
7994-427-47 25-24 25 49-24 20-15 2-11
7874-367-2-4-17 5-32 34 29-13 22-22
8038-416 12-15-3-9 11-8 10-33-29 33-9 29 8 3
8086-519 19-4 14-18-30 5-12 8-3 10-9 2 0 6 21-9
1107 2420-21-3-13 11-49-2-7-11-22-8-14 4-41-11-4-11-48 0-31 11
857 2400-14 19 5 11
848 2430 9 12 31 2 16 9 4 10 34 13
942 2476 16-6 14 10 17-11-1-9 15-1 15 10 64 2 45-17
826 2325-10 2-5-8-29-9 1-17-19-6 3-14-27 1-12 9-10-9-39 2
679 2276 7 3
686 2279 8 2-20 19 8 9-13 4 16 13
685 2326 42-6 18 10 53 4 7 9
805 2343 9 0 12-18
-514 424-18-36-43-43
-575 345-49 24 0 19-11-2-9 7-4 14-16 14 10 0 9 11-14-3-1 13 7 2-12 8
-665 452 14 3 30 40 57 5 29-34-2-11 6-2 6-19-11-17 22 7
-626 372-22 7 17 3 5-10
1135 2212-14-12-3-11 10-16 21-14-14-15-12-2 3-20-9-6
1117 2116-39-4
1078 2112 10 21-19 5-29 25-23-22
1017 2141-57 36
960 2177 15 5-13 16 17 4-23 16 11 26-17-1
950 2243 7 17 13-1-20 11-5 27
945 2297 36 11 31-3
1012 2305 27-18 0-13 36-17-7-7 9-5-9-4 37-14 27 6 5-4-12-7 10-10
-614 740 3-17 10-13-2-28 11-16 10 2 13-21 0-27
-569 620-51-3-33 7-1 8-32 2
-686 634-74 0-19-9-57-7
-836 618-2 8 16 4-8 6-7-7-1 24
-838 653 46 5 1 8 27 4 6 8 46-16 21 8-64 21-21-12-52 0
-828 679-10 16 7 7-9-2-18 32-19 6 20 8 30 46
-827 792 15 35 85 6 34-26 23-4 10-22 46-41
1845 1269-20 13 20-13
2099 836 4 4 5-11-18 10 3 11 6-14
2140 819-25 53-27 22-27 40-23 54-52 31-22 30-15 45 4 36-30 56-27 23-19 6-18 26 4 7-5 17-99 137-28 1 17 65
1748 1468 55-8 35 33 36 7 8 16 17 9-51 50 109 31
1957 1606 61-9 86-43 130-94 93-5
2327 1455 45-5 11-23 39 0
2422 1427 18-41 68-53-8 1 11-19-3-10-6 1 2-8 36-59
2540 1239 8-10 15 1
2563 1230 8-3-6-10 13-3
2759 1135 23-35-33-100-150-50
333 6-7-3-3 8 11 9-1-14
-8617-673 6-17-16 0-12 14 22 3
-8573-702-23 2-6 7 22-1 7-8
-3045 691-3-5-6 7 9 12 0-14
1528-120-32 3-3-19-8-4-16 0-14 10-4-6
1451-136-8 14 14 12 3 24 19 17
6859 2755-6-9-17 2 23 7
6013 3654-31 2 31-2
5314 3910-13 1 35 4-22-5
5371 3862-8 2 21-1-13-1
3838 3672-34 4 34-4
4238 3723-18 0 24 3-6-3
4333 3749 23-2-10-5-33 3 20 4
2966 4065-35 2 35-2
6534 2115-8 12
6526 2127-5 9 32 9 10 24 0 35-14 38 23 7 21 17 54-15 9 6 3 18 13 5 21 32 15 53 30 21-10 15 5 12-18 6-58-14-33-19-76-1-11 16 3 16-12 13 0 13-18 2-35 24-22 0-18 11-35-2-22 12 2 20-13 7-2 18-19 20-44 82-19 15-29 8-13-3-61 20-63-3-82-15-33-23 31-8 5-23-35-25-45-60 9-6-4-11-40-11-29-16-60 15
5834 2491-23 9-40-5-34 17-22 2-75-38-73-8-31-11-105 9-33 17-2 14-34 2-26 17-67 8-65-16-39 2-51 19-8 39-110 20-51 18-13-16-30-17-10-20 10-21 12-5-5-18-41-22-65 13-27-4-45 5-13 10-5 17-58 2-8 9-16-5-13 9-8-8-20 0-87-30-21-10 1-9-28-11-45-2-4-10-15-5
4391 2458-25-4
4366 2454-35 24 3 11-25-14-47 6-13 22-33 9-19 27-29 11-43-14-52 1-4 11-15 0 2 12-19 5-15-6-1-12-22-8-106 124-69 38-3 7 12-1 9 15-70-18-11-9-38-13-5-8-25 7-23-9-5 13 21 17-24-4-31 9-9-10-13 19-9-6-45 1 4 19-22 35-28-7-60 11-39-11-2-9-134-18-20-14-31 2-127-22-34 4-13-20 28-5-16-4-1-8 44-14-52-1-13-15 11-17-49-20 22-14 55-17-9-23-22-8-26-1-18 8-27-17-3 6-29 4-26 18-26 2-20-11-21 9-27-2-40-22-52 22-4-24-21 25-40 22-39 0-17 11-44-11-27 13-28-23-37-10-9-11-35-12 11-30-4-5-21-3-42 27-31-35-4-17 12-10-17-18-2-19 20-9 2-15 10-10 43-2 40-46-20-1-1-8 35-13
2462 2317-28-13 2-9-12 2-42-18-9 5 3-9-22-34-4 3-14-16 29-23 8-27 9 16-9-42 56-60
2429 2092-39-32-24 4-29 27-15 4
2322 2095-40 15 3 15-41 13-5-7-14 6-34-8-2 8-51 21-59 3-47 16-25 1-8-7
1999 2171-63 43-105 44 16 6-11 5 7 2 18-7 21 5-1 9 16 22 28 4-29 16-8 12 37 1-3 8 43 14-14 9-40-9
1588 2605-9 11-1 22-15 13 8 9 36-5 28 16-13 14-34 5 3 12-21 8-16 15 4 6-18 8 9 14-8 11 4 15-33 13-38-8-5 13-29 0-33 10
1407 2807-2 20-13 16-10-1 10 23-24 11
1368 2876 9 14 12 4-14 17-3 28 36 30-7 5
1401 2974 2 15 14-4 40 15 52-2-23 12-33 0-21 9-7 8 6-2 2 6-7 3-36-7
1390 3027 157 89 30 28-18 16-59 27 26 17-2 8-25 14 6 11-25 11 11 9-11 5 11 16-5 3 19 3-1 5-51 56 46 38-32 20-33 6-6 9-4 9 15 15-18 3 27 6
1448 3451 21 14 35 7 4 9 35-4 0 12
1543 3489 34-4 23 6-1 7 48-10-1-8-41 2 14-8 31 0-1-6 24 3-16-18 27 13 109-6 94-25 34-17 57-14 13-1 0 5 28-16 29-6 9-23 11-2-9-20-54-26-72-12-157 17-35 11-17-3-1 5-65 9-16 9 5 3-52 4 88-36-15-6 38-5 29-13 4-10-19-18 20-21 8-11-5-10 9-6 30-3 36-19 54-9 31 14-5 11-39 4-30 20-2 7 12 2 5 10 144-30 15 10 19 0-32 28 1 13 83 26 37 20 51-5 21-8-6-7 28-6 0 12 19 22-3 13-32 16 22 37-1 13-43 21 128-10 39-25 1-7-59-4-31-17 33-12 16-14 31-5 58 9 11 30 48 5-4 11 20-2 142 34 20-9 16 6-19 6 73 20 35 0-35-5 8-3-10-10 9-10-34-9 80-3 3 9 25 9 85 0 97 22 15-13-12-6-1-9 31-4 10 6-1 11 29 1 23 13-39 31 38 12 164-15 35-15 105-18 36-18 39-9 32 31-30 0-21 14-6 12-19 5-28 6-8-7-5 9 6 14 16 4-5 6 7 26-29 4 7 12-10 1 14 10 67 20 57 64 105-2 66-11-12-34-36-28 36-15 6-10 0-25-11-9 5-66 51-24-23-15-4-21-23-9-38-29-24-2 9-14-41-8-17 4 16 7-84 2 9-10 39-9 104-7 13 4 5 11 69 22 14 21 35 17-2 16-17 17 9 17 27 5 67 6 39-25-3-35 30-10 57 0-67 9-2 12 6 10 17 3-17 32-83 17-59-7-52 5 6 11-16 19 38 39-38 32-25 11 30 20 66 15 5 14-16 20 29-1 12-11 7-14-23-17-2-7 13-8-11-11 23-9 164-16-27 4-13 12-89 15-20 18 41 6 35-10 31 3-8 10-31 0 54 15 47-1 67-15 45-18 72 0 7-3-13-10-33-10-4-13 5-10-9-10 3-10 19 25 21 0 0-16-17-18 20-6 0 9 21 3 12 10-29 28 20 22-1 7-17 10-28 2-27 17-64 11-8 12 9 11-21 15 8 16 316 16 6-3-61-19 1-6 43-11-39 15 84 21-50 21-29 4 20 7 42-5-72 14 20 9 33-5 30 15-26 2 3 5 33-2 126 24 199 18-65 1 20 6 116 2 25-3-21-9 47 5-5-5 108 17 55-11-16-11 5 0 16 6-2 11-51 17 140-2 4 2-38 4 9 7-10 10 86 30 78 12 94-18-93-14 162-9-51-20 65 0 23 11 147-1 49-12-8-5 34 0 9-13-7-3 31 10 14-18 16-2-20-15-51 14 25-13 38-6-40-22-154-35-1-8-81-23-46-4-30-14-25-2-52-26 28 3 39 15 64 2 155 28-60 3 30 11 64 0-16-3 46-13 33 2 7 5-5 6 10-2 19-14-13-9 16-6 0-15-16-14 25-6-22 8 16 13 1 9 16 5-18 8 27 4 64 6 156-6 24-5-24-1-2-11 66-13 140-5 11 1-12 6 32-3 23 12-15 12 5 10 56 6 53-16 33 5 2-7 13-3 24 10 35-3 68-18-25-11 21-1 12-9-42-8 43-5 7-6-7-11-78 16 60-33 15 8 12-9-31-4 46-27 39-11 11 3 13-11 21 4 30 21 9 20 22 14 51-24 51-3 70 12 92-24-5 4 24 5-20 3 16 11 27 1 21-9 39 3-14 10 1 9-18 4 41 12-50-2-2 8 23 9 74 4-21 13 7 3 273-23-1-4-67 2-37-7 7-3 127 5-36-18-6 0 12 10-24 4-5-8 5-6-35-1-4-8 10-3 45 5 59 26 112-8 26-13-55-9 87-13-28-12 43 8 31-5 26-13-17-2 38-7 169 13 140-8 61-22 4-9-14-23 6-4 53-9 7-25 15-10-24-18 12 1 23 17-1 24 31 12 52 5 184-11 49 11 14-7 8-15 51-10 15-15 46 2 23 16-21 22-21 2 17 12-1 12 140-14 8 6 124-2 146-26 51-18-17993-2 56-11 17-9-11 4 3-6 30-6 2-8 13 4-29 11 43-13-3-4 112-27 5-12-7-4 27-1-5-12 8-16-7-8 21-4 5-10 16 7 1-13 14 11-23 10 12 7-4 8-23 8 69-2-9-8 4-3 3 8 34-2-24 5 60-6 66-31-6-4 15 3 3-6 26-6-34-7-13-15-39 9 19-12-5-3-81 9 27-11-4-9-17-2 19-2 3-8-42-10 13-2-5-9 26-9-26 4-1-8-12-4-11 4 3 9-20-9-43 18-43 5-21 10 0 11-12 12-48 7-68-6-4 12-22 15 10-1 11 19-17-11-12 3-2 7-10-5 1-6-18 1-6-14 22-19-32-23 17991-1-65-22-39 6-43 18-27-2 35-2 9-7-58 5-76-14 76 11 14-10-10-6 62 10 3-17 12-7 18-4 9 7 24-26 2-9-14-4 14-9 3 7 6-10 21-8 3-5-7-4 16-11-23-23-91 14 2 9-16 0-3-6 10-5-132-37-45-5-24-16-14 3 2-7-25-8 0-5-90-31-12-24-19 5-18 19-20 8-38 0-62-10-47-27-7 6 11 25-64-19-6-13-26 12-16-9-17 7-14-8-9-9-2-20-57-43-9-18 22-18 13 11 28-7-23-28 2-21 23-7 4-22-25-9-11 9 21 14-18-1-10-5 2-7-22-9-18-29 19-37-24-12-42 1-35-18-12-20 9-33-22 6-42-17-13 7 6-8-5-25-20-29-68-42-11 21-8 56-12 18-28 117 8 44 15 34 41 27 7 8-9 14 4 3 28 0 11 11 31-1 46 26 32 30 96 52 15 15 82 23-7 5 22 16-10 6 20 42 20 9 30-5 10 6-49 10-54-7-16-33 12-10-9-7-11 7-23-2-82-45-29-6 10 19-30-3 26 47-37-9-19 10-105-12-139-92-8-16 42-3 9-5 0-9-35 2-22-7-33 7-27-15-25 5-50-7-10 10 57 7-46 17-43-3 9 3-51 11-29-7 7-8-20 3-3-8 11-1-12-5-23 8-37-8-49 10-25-14-24 12-84 0-78-13-76-43-18-24-89-43-48-41-124-65 32-13 47 2-6-34 6-8 18 2 5 10-6 8 26 5-16-9 25-8-29-20 35 3 28 18 3-7-16-15 10 1 12 17-2 21 33-5 19 4 84-49-10-14-17 3 21-12-6-20 17-13-6-13-21-15-21-41 5-36-8-8-4-48-13-27-37-27-40-41-12-26-33-36-90-72-37-43-57-29-42-12-43 9 1 22-23-11 4 10-39-34-23 2 7-7-8-11
2372 4043 50-3 12-8-49 6-78-16-8 7-54 2 127 12
2514 4046 71-12-140-16-11-3 15-7-30-3-87 10 63 11 59 0 8 15 52 5
3388 3812-320-46-54-16 11-5-38-8-3-6-22 4-10-11-25 1 4-14-43-10 6-8-6-5-22 4 11-9-45-18-82 8-35-5-8 6 3 3-22 11 44 10 35 23 40 4-28 6 46 17-35 8 38-1 16 7-2 6 38-1 23 16 41 10 70 12 33-1 13 10 89-2 74 7 154 31 47-3 23-12-2-6-57-17
2766 3665 55-5-15-20-20-2-16-11 6-16-11-14 58-42 58-19-24-7-44 7 15-6-6-2-136 13-17 3 12 2 3 8 24 2-38 11-4 3 5 7-80-2-19 14 7 15 52 11 15 18-18 5 40 8-6 13 78 10 26-4
4826 4054 67-19-37-4-5-4 20-11-12-4-165-12-118 18 65 13 22 9-33 0 38 12 90 12 32 0 36-10
4884 4008 17-7-18-13 47 15 67-11 6-3-14-8-5-15-32-1 44-17-24-6-94-1-138 13-29 16-58 5 96 30 135 3
5144 3963-23-21 27 11 42 4 33-13 34-3 10-11-30-13-177-7-68-12-28 4 37 15 20 21 27 1-5 7 10 10 27 11 33-4-4 6 11 3 35-7-11-2
7003 3791 38-9 8 16 25 9 194-30-67-25-60 11-6 9 12 14-32-1-11-2 6-13 46-22-32-7-25 9-86-8-29 6-29-15-50 7-58 26 17 1-1 20 22 1-7 10 32 8 36 4 57-19
7340 3769 82 2 7-9 112-4-12-12-76-7-146 21 15 18 16-3 2-6
7138 2720 11-13-3-17 20-42-7-51 32-83 45-82-33 30-48-2-26-56-1-17 33-47 13-2 5-20-7-17-8 27-35 7-25-39-13 27 11 34-4 22 11 22-16 36 14 41-4 54 7 29-24 26 4 2-7 8 0 17 10 26-2 27 16 8 19-3 9 23-18 19 21 6
-9000 3577 78 0 47-16-16-8-80-7-29 4 17994-1-54-8-6 14 60 21-17994 1
2645 3568 15-7-4-12-44 17 33 2
8402 2728-30 15 30-15
8073 3445-16 11-3 14 21 12 6-7-13-7 5-23
7458 3833-38-1 50 7-12-6
6898 3575-12-4-33 5 45-1
5385 3907-64 0 64 0
5624 3831 9-6-34 6 25 0
4827 3814-12-8-49 5 61 3
4814 3851-51 0 65 7-14-7
4476 3859-19 2 27 3-8-5
3733 3644-28 7 15 5 28-3-11-1-4-8
3775 3673-8-1 36 5-28-4
4177 3704-36 1 36-1
3501 3325-28 11 31-1-3-10
2503 4004-25 4 38 1-13-5
2571 3997-66 2 42 6 24-8
2538 4052-20 4 29-1-9-3
2774 4014-25-1 25 1
2721 4024-30 0 3 6 27-6
2985 3998-39 1 31 7 18-6-10-2
2931 4052 16-10-50-2-37 11 71 1
2513 3459-2-7-6 4-24-13-35-6-24 3-8 12 7 15 27 8 65-16
3169 4035-43 6 79 9 24 10 30-3 13-10-103-12
2898 4006-31 2-16 15 112-6-43-1-22-10
3108 4042-4-11-51-10-70 1-19 7 22 13 122 0
3057 4048-54 1 75 4-21-5
2676 4009-65 4 48 8 34-8-17-4
2854 4018-5-14-63 1 15 5 0 7 53 1
2891 4077 37-6-35-3 8-5-28-6-87 2-13 7 118 11
2736 4056 149-16-91-9-91 10 33 15
3183 4081-78 3 84-1-6-2
2915 4086-20 0 75 5-55-5
4634 3984-26 0-54 15 55 3 81-7-56-11
4578 4057-83 2 83-2
7051 3700-30-4-16 13 42 4 8-5-4-8
7109 3695 58-17 8-16-191 9 35 3 35 19 55 2
6797 3770-24 0 12 22 23-12-11-10
6810 3696-41 17 33-9 11-5-3-3
6897 2755 13-3-24-19-13 11-11-4 17 20 18-5
8460 3479-71 13 29 9 53-8-11-14
8182 2930-10-3 14 13 2 11 41 10 2-17-49-14
8333 2742-1-7-44 30 26 1-2-8 21-16
7741 2466-10 3 10 13 0-16
7796 2515-26-13-10 11 24 7 21 19-9-24
7600 2345-14-2 29 14-15-12
7484 2282-12-2 26 21 30 9-44-28
7430 2266-47-17-38-29 51 49 20-5 25 11 1-7-12-2
7310 2225 18-3-32-17-18-22-6 4 38 38
5669 3720-30-15-64 13 19 0 10 9 65-7
3813 3983 66-8-46 0-30 7 10 1
4001 4042-52 0 12 6 60-2-20-4
3534 3655-38-1 4 14 18 6 33 1 31-14-48-6
3882 3615-39 1 36 16 39-8-36-9
3975 3636-43 7 26 12 19-9-2-10
4109 3771-10-9-24 6 26 8 8-5
3023 3497-1-11-40 0-7 7-27 2-24 18 28 10 71-26
1048 2764-18-15 29-2 3 16
1062 2763 66-10 13-9-7-16 4-10
1138 2718-158 5
980 2723 19 23 27 4 19 14
1045 2764 3 0
1750 2287 23-21 56 4-9-17-46 2-20-15-18 0-32-19-16-1-16 8 9 17-3 10-53 15 58 27-3 8
1485 2263-7-21-26-4 3 11-10-3-16-59
1429 2187-75 21-43-8-36-16-129 8-3 5 8 7-16 8
1012 2305 44 9 44 61 44 22
1331 2413 18-5 55-59 8-17-8-52 7-7
2540 1239-2 33 12 27 13 9 14-13 3-42-9-20-8-3
-860 1643 25-5-16-5-9 10
-370 1859-22-9-38 6-20-4 9 20-3 50 11-1-28 1-2 11 23 21-17-17-17 3 5 27 27 39 8 32-4 47-6 3 5 9
-1389 1928-26 9 26-9
-1407 1923 4-2-20-1-5 6 21-3
-1282 1892 23 0-13-6-20 9 10-3
942 2476-14 18-47 12 4 9-14-2-27 8 6-9-18-7-22 16 11 8-7 4-14-2-50 20-1-7-9-1
740 2543 11 20-21 29 8 12-10 14 3 8-25 18 15 17-8 25
713 2686 16-4-1 9-17 3
711 2694 0 4
711 2698 98 17 19 13 64 13 46-7-16 3 20-19 38 5
1138 2718 30-8 6-13
1174 2697 22-59-37-24 24-12-3-26
6055 931 37-16 21 8-5-40 18-27-19-47-27-12 0-14-10-17 14-28 4-30 23-11-1 10 21 9 16-7 8-22 10 5 1 11 25-11-14-10 14-19-2-7 18-4-4-24-9 6 3 12-31 6-8 20-28 23-7-1 10-24-3-10-11 16-30 21-22-15-25 12-10-4-1 19 16 23-18 12 0-20-7-1-18 20-15 70 19-11 10 3 0 77 12 43 25 6
5866 422-5-4 6 18 94 88 4 25 13 17 6-41-24-22-21-7-17-33-56-41
6125 581 17-1 3-8 13 5-2-13-17-23-41-19 7 60-9 11 29-12
6157 453-29 21-8 17 23 13-2 21 8 19 14 6 15-11-20-46 8-29-9-11
6229 567 18 2 4-8 0-22 12-24-6-6-8 9 2-16-12 6 0 31-6 9-11-2-6 31 13-10
6262 626 15-16-2-30 12-27-25 4-10 10-6 11 4 10-28 20-7 20 47-2
6035 674 25-2 16-15 1-25-15-21-14 11-16 36-15 13 3 5 15-2
6300 466 10-2 5-16-8-18 11-6 5-14 6-48-19-19 0-28-19 52-7-4-15-29 10-11 4-24-16-19-5 23-16-9-42 26-5 30 11 20-27 21-8-1-6-20-14 15-13-9-2 10-9 2-24-41-12 7 17 43 34 11 9 16 17 11 21-13-3-20 20 9 10 19 17-2 6 21 14-6 4 8 14 0-1 37 26-22
6169 472 0 26 33 66-2-44-15-14-16-34
6058 304 12-7-26 1 14 6
6005 608 6 3 5-10-16-1-6 15 11-7
6230 489-24-9-15 11 26 17 12-7 1-12
6013 263-22-10 17 14 5-4
6105 321-7 0-6 12 11 4 13-7-11-9
6284 496-9 10 8 16 1-26
6096 677 10-4-6-13-8 6 4 11
6105 618-4-13-5 12 11 16-2-15
6164 643 4-8-20 20 16-12
6186 614 16-16 0-10-28 23-16-15 4 33 24-15
6218 682-9-5-7 6 9 21 10-10-3-12
6102 750-5-17-6 15 11 2
-3498-212-5-5-17 9-20-1-9-8-43-8-52-31-18-49 5-18-31-22 2-20-12-4-2-9 14-11-3-8 11-20 29-33-11-21 41-5 12-24 45 2 35 26-5-79 53 3
-3479-548 45-77-15-19-5-40 10-25-24-31 9-22-12-20 10-25 19-10-39-43 5-15
-3476-875-17-10 3-14-6-11-25-7
-3521-917-46 33-5 16-51 33-63 25-69 39-60 64-4 14 6 3 2 21-31 52-16 14-3 20-21 19-56 133-62 93-57 35-1 9 11 2 3 10-23 49 3 17 48 47
-4016-169 7-25-16-6 7-10-6-11 17 6 25-8 15-23 15-2 18 20 17 58 9-3 15 24 59 21 55 51 9 31 8-2-1 19-18 23 17 1
-3764-5 24-5 28-38 29-14 8-23 15-7 2-22 11-6 36 0 23 12 18-9 22 7 43-23-32-56 20-2 19-21
-2908-1008 17-42-7-55 51-9 25 10 10-9 20-2 11-19 10-64 17-2 23 9 19-11-19-77
-2731-1279-7-48-19-20-14-3-15-21-22 5-14-12-108 12-1 9 21 26 5 22 27 32-4 11-16 14-61 24-36 23-57 17-38 29-42 47
-3132-1112 18 59 0 25 26 46 88 17 46 1 45-27 1-17
7648-238-3-4-8 10-4 25-19 28-77 42 4 8 61-34 49-42 6-13-9-20
7596-215 10 4 14-6-2-24-19-13 5-19-28-5-15-18-37-17-41-2-66 32 5 9 70-2 13 25 4-25 28 0 29 28 18 4-4 34 16-5
7049-456 0 111-6 8 6 20 0 186
7049-131 127-41 27-18 21-1 64-50-1-29 91-33 12-13 2-17-44-9 11-27 47-36 23-48 31 1 3-23 38-9-13-6 6-11 49-11-21-3 10-11-16-7-28 15-100 15-37 34-3 16-16 5-30 44-76 26-19-10-24 15 14-24-21-3 5-10-55-6-16 6 46-14 13-14-1-10-36-18-21 7-54-2-8 5
7401-291-11 16 13-6-2-10
7554-501 11 3-3-12-14 5-9 20 15-16
7517-475-12 7 5 8 7-15
7555-437-5 11 6 5-1-16
7353-98 19-5-45-7 6 11 20 1
7522-133-14 0-10 9 13 5 10-4 1-10
7527-467 12-4 6-12-23 2 5 14
7632-448 16-5 0-7-22 10 6 2
7677-574 11-5-24 3-4 10 17-8
7179-432-19 11 19-11
7798-334-12-9-19 7-7 21-22 18-2 25 19-9 43-53
7732-272-5 16 5 5 0-21
-3869 433-5-8 14-26-17-21-11 7-7-24
-3895 361-26 42 14 16 19-12-17 18-6-5-9 5-1-7-5 13-28 19-21-1-12-19-36-19 22-36-21-11-20-3-11 34-10-14-12 5-11 21-26 9-27-1-5-11
-4144 404-7 13 8 6-3 14 10 9-11 7 0 19 7 8 12-1
-4128 479 11-19 8 0-3-8 23-4-6 9 27-18 62 22 27 19 75-18 35-29
3838 1783 14-28
3852 1755-22-18-44-12-71 13-17-5-8-14 9-7-4-8 18-7-14-11 9-11-8-16 15-9 3-12 15 0 1-13 28-6 4-8-38-20-2-32 6-7-37-30-5-17-21-8-22-43-30-16-24-40-53-13-20 16-43-45-2-19 32-12-2-29 8-11 19-2 20-63-16-8-11 9-35-13-51 8-3-18-28-5
3408 1193-2-5-28 6-13 15-6 29-24 5 0 18-19 19-9-5 16-3-84-7-6-6-30 11-25-2-3-7-96-1
3079 1260 13 51 30 17 36 5 7 25-27 5 0 49-43 15-53 66
3042 1493 82-23 54 5 27-5 104 22 7 6 1 42 24 23 32-1 14 5-8 8 29 15 22 0 14-8 20 15-2 25 13 29 39 17-20 32 59 2 2 17-7 7 33 33-2 18-17 29 51 31 89 4 25 10
3727 1851 30-2 14-12 18-2 10-16-3-17 13-11 19 3 10-11
2936 1011-4 6 12 17 4-8-12-15
2819 1249 13-26 24-24 83-23 33-43 19-8-1-14-66-91-13 1-2 8-16-17-7-28 5-33-50-13-22-39-45-7-21-40-50-2-49-18
2804 1303 17 15-6-35
569 2952-27 7-10 10-2 19-21-38-17-2-14 8 7-6-77-43-35-6-44 4 4 8-30 6-27 17 5 15 24-7 13 6-13-2-11 7 4 10 22 13-52-20-11 3 8 21 46 9-25 2 21 19 19 8 0-12 10 13 14 5-42-9-51-35 3 22 24 2-20 4-7 12 25 12-26-2-6 20 89 5 13-9 0 7 28 6-13 4 5 7-8-13-34 6-11-8-53-2-15 8-1 9 17 2-21 12 1 8 90 0-82 7 2 7 29 11 49 4-28-3 11 11 57-4 10 2-8 5 28 3-68-1 10 11 32 8 26 0 26-13-23 16 24 9-14 8 11 5 28 0 1-7 27 8 16-11 37 3-2 8 33 9-10 5 14 5-8 2-19-6 6-4-5-3-44-13-25 9 50 36 54 20-17-3 9 11 34 10 17-4 21 12-25-8-14 5 27 31 18 3-13 7 63 10-46-3-3 10 8 10 37 8-15 5 23 11 65 4-49 4 26 15 32-12 5 9-23 4 3 8-26-4 1 6 17 9 24-2-16 5 35 9 16-17-3 6 7 5-10 11 68 5-52 6 43 13 16 15 20 3-1 8 9 8 30-8-12 9 53 15-2-19 16 20 18 6 1-16-12-14 32 9-10 9 4 11 27-2 14 7 27-9-9 11-22 9 66 7 34-20 1 13 52 23-8 6 20 9 55-7-38-32 11-4 64 39 12-3-9-10 1-13 20 6 10 11 18 3-15 7 18 8 40-6-4-8-21-7 19-1-4-21 32 31 45-11 16 3 8-8 35-7 1-6-34-8-74 1 41-8 2-10 8-3 14 0 8 7 9-7 22 3
1448 3451-6 8 25 15-10 10-70 19-61-7-22-11-16-21-1-15-40-19-47 10-34-8-45 4-41 28-27-3 0-9-22 0
423 3183-9 1 26 5-17-6
1172 3541-31-14-23-1-18 7 72 8
1279 3557 28-5-41 0 13 5
1181 3528-17-13-18 4 35 9
1201 3528-10-2-8 8 15 1 6-2-3-5
694 3413 12-1-45-12 4 8 29 5
760 3447 10-8-9-8-42 5 33 9 0 5 8-3
988 3511 17-6-16-1-9 9 8-2
1039 3505-18 3 18 3 0-6
963 3503 17-2-41-22-36 1 31 9 23 23 6-9
562 3243-25 0 14 6 11-6
875 3480 29-10-6-10-57-6 8 3 1 11 18 1-6 5 13 6
788 3428 26 15 13-7-28-16-86-10 58 21 7 13-4 8 32 12-15-13 5-14-8-9
-448 3542-7 1 38 14 18-1-49-14
961 3720-21 4 19 2 2-6
1344 3932-24 7 30-4-6-3
1626 4006-52-1 107 6-55-5
1080 3930 22-1 13-18 58-3-17-8 89-12-105-24-19 2 13 12-81-6-9 6 39 18-31 7-26 13 2 5-17 3 69 6
1045 4012 69-10 9 18 27 4 16-3-10-12 64 9 123-10 14-5 3-8-60-14-18-11-85-10-62 6 8 5-137 3-22 6 55 7-103 1-23 8 30 6-47 5 71-1 10 2-18 9 29-6 2 5-9 7 6 1 58-12
839 3995 53-5 6-5-15-16 37 11 21-9-7-8 61-10 36 2 7-2-13-4 44-12-85-6-26-12-8-15-28-3-11-25-19-1-34-23 4-4-13-7 4-8-18-4-117 33-18 13 35 1 11 8 106 6-6 5-142-6-15 4-5 8 31-1-3 4 77 12 70 5-36 4 16 8-68-9-8 5 6 10-18-8-17 5-11-2-1-9 10-4-75-9-89 36 52 0-21 3-4 7 9 5-5 2-39-9-23 20 3 6-6 6 51 3 29-5-3 4 74 3 11-5-68-9 39 0 31-12 4 12 28 11 87-41-26 36 21 17 27-7
563 3931 43-19-50 11-28 22 20-3 15-11
937 4015-29-1 29 1
1452 3946 33-1-91-2 58 3
6332 1889-13 5-13-7-18 12-20-13-19 11 11 7-25 2 18 22 25 6-20 6 12 24-2 12-29 12-7-7-14 19
6218 2000 27 23 54 22 37 41 9 3 14-12 48-8 7 11-12 19 44 3 20 19 19 1 10 28 17-5 14-18
6534 2115-22-6-24-23-3-43-59-36-48-18-8-29 19-6 30-23
680 685 23-31
703 654 7-35 21-11-3-33-33-18-18-27-17-52-16-13-5-24-19-11-8-16-11-34-13-16 5-8-31-34-32 31-6-8-17 5-18-12-39-42-22-58
428 238-15 8 2-18-25-2-14 7-12-6-10 9 4-10-12-6-8 16 5-17-11-2-3 7-1-7-15-2 0 7-9-7-29 27-7 25 9 7-8-4-9 7 13 4-17 1-35 35-48 4 13 9-19-10-32-1
135 319 4 133 13 2 40 76-18 40 6 15
180 585 2 41 20 21 5 26 26 14 42 7 40-11 32-33 45 17 45-22 44-4 21 19 22 6 47 2 52-13 21 17 36 13
180 585-40 34-22-8 1-16
119 595-15 20 7 8-6 12-27-3-29 20 0 16 11 0-29 17-9 14-14 26 3 21
11 746 36 3 18 15 110 4 16 16 21 66-1 107
211 957 81 17 82 70 224 132
598 1176 76-17 37-28 38 19
749 1150 10-74 21-28-1-11 19-20-11-22-13-150-56-58-46-68 8-34
-4158 750-13-9 12-24-19-51 2-45-5 2 1 13-8-11 4-24-7-8 8-11-10-17 11-19
-4182 546-14-9-36 15-13-5-34 12-8-6
-4287 553-96 92 4 7 12-3
-4367 649 16 1 14 14-1 23 21 2 15 14 15-10 28 24 10 21 26-6 65 18
8656-2064 41 18-7-18 10 14 15-1-13-11 16 7-14-16 0-13 10-3-3-6-50-56-30-15 6-4-11-5 28-11 1-8-30 0 4 3-5 3-9-7-13 8 7-10-47-18-5-33-7 0 6-6-21-32 4-10-22-6-33-28-29-4-36 2-7 11-20 1-15 11-35-4-6 4 10 9-9-5-1 9-11-4 1 7 24 5-10 4 9 5-12 0 9 7-2 4 14-5 4 7-11 8 12 2-4 4 12 9 2-7 0 8 12 8 10-1-2 8 25 21 41 8 0 7 61 30-5 4 22 4 12 15 3-7-1 8 15 12 8 33 23 13 17 39 18 12 15 0-10-1-2-6 14-9 7-22
8407-2343-5-4 10-6-36-10 14 18-1 10 18-8
8663-1747 9 5 33-15 2-8 9 3 13-27-9-1 20-25-4-27 29-8 4-10 8 0-4 36 16-13 16-45 59-18 36 22 27-7-14-43-14-8-4-26-19 8-22-7-7-17 8-6-13-24-43-53-34-20-7 10-14 0-1 10-11-4 26 34 3 21-10 12-54 23-9 9 4 9 36 15 18 52-17 35 8-6 9 7-7 7-15 0-15 22 11-5 0 18-18 6-6 11 12-21-5-2-32 41 10 11-15-6-10 12 4 9-25 28 17 2-4-6 15-20
8311-2538-17-2 11 13 8-1-2-10
-8809-2187-10-6-6 5 8-14-9-4-6 4 4 9-14 2 33 4
300 2538-18 4 8 16-29 6-9 9-41-4
211 2569-38 8 41-3-14 6 9 1-12 9 27 25 14 32 65 23 38 2 19-8
360 2664-8-31-17-3 17-11-16-15 4-6-43-8 13-17-4-16-13-5 9-7-2-7
211 2569-16-9-23 2-5 7
167 2569 44 0
-3438 603-20 16 20-16
4405 1394-6-37 9-21-8-17-36-1-13 10-16-6-45 8-8 11-20-3-28 14-4 13-25 10-41-6-27 7-3 8-41 9-89 49 16 44 30 22
4050 1508 9-6 12 15 31-1 9-13 47-22 21-22 26 2 6-15 29-18 18 2-2-14 28-2 16-18 7 10 13-10 11 9 26-13 48 2
1263-890-17-1-20-12-8 4-38-24-19 23-112-16 0-182-50-2 0-139
822-1431-36 33-22 34-22 78 0 34-17 42-2 88-50 76-50 100-34 46-2 37
587-863 40 2 28 13 19-4 27-18 219 0 28-20 89-11 132 19
1660-701 22-27 35 8 8-10 2-35-15-29 10-20 32-28 1-14 9 0-6 28 10 20 20 5 7 58-33 50-34 27-10 60 13 27 17 2
2023-523 8-10-11-34 9-65-7-17 6 0 4-78 7 6 3-15-14-38-29-37-10-4 3-7-38-27-78-30-29-21-27-38-7 2-1-7-19-7-46-41-15 6 6-6-3-33 14-16 14-43 3-37 7 14 4-9 2-33-10-42 8-1-2-12-25-30-83-30-27-19-11-18 13-13 6 9-4-39
-111 1755 21-17 6-72 12-27 19-16-9-6 1-12-82-1-8-12-40-9-1-23 11-7-2-5-65-25-24-25-52-7-8-13-26 3-75-45-1-53
-434 1383-7 0 1-27-31-2-20-12-47 9-32-7 3-12-19-27-17-5-19-58-31-22-13-21-29-14-16-69-21-23-6-18-112-4
-850 1071 4 24 28 35 29 60-10-6 4 8 50 44 5 34 19 43 42 24 32 59 69 19 68 54 27 36 0 17-11 14 4 35 23 33 5 25 36 34 81 35 27 41 22 50 32 6 1-14 32-21 61 1 21 9 7-14 31-1
-434 1383 0-19
-434 1364 0-64-167 0 0-127-30-9-27-23 7-74-197-1-4-26
-852 1040 2 31
1017 2141-14-3 0-11
1003 2127-14-3-6 7-19-22 3-16
967 2093-41 29
926 2122-4 6
922 2128 5 4-4 18 20 17 8-2-3 11 12 1
5834 2491-43-62-2-17-13-5 5-13 14-10 17 9 26 0 30-10 20 16 37 0 61-41 7-24-26-3-25 7-55-12-15 3-5-11-39-4-18-27-26-14-56-3-49-33-44 7-14 9-26 0-25-35 27-32-47-19-30-28-53-17-128-8-90-34-24 3 0 11-39-6-78 20-33 19-215 12-41-3-26 28-17 34-10 4 1 12-31 4-60 29-132 13-11 16 17 26-5 12 6 14-34 55-43 18-22-1-23 11-3 8-27 9 4 7-16 9 7 6-3 8
369 2187 3 0
-4857 1298-26-79-9-94 4-20 22-27-4-14 1 14-19 23 29-65 36-43 9-26 25-27-7 1 37-6 36-27 79 15 22 11 23 2 3-10 19-3 13 8-8 14 35 23 2 19 10 10 7 53 27 14 68 14 60-6 4 5-9 2 16 1 11-9 2-13-32-46-2-21-11-9 13-3-12-11 8-4-13-42-6-8-9 12 1 16-13-18
-4415 924-11-2-14-24-17 0-1-7
-4458 891-91 0-1-28-21 0 50-43-1-16-65 0-23-40 6-10-8-27
-4612 727-46 45-61 42 19-13-33 9 4 6-11-2-3 7-8-7 11-4-71-25-15-2-62 15-50 29-47 9-57 24-54 38-76 18-24 25-51 25-37 53 21 10-13 11 14 16 2 19-22 24-8 32-57 63-41 30 12-6 0 6-22 7-16 23 12-1-37 24-12-3 7 13-21-5-6 20 11 13 4-2-8 14-10 9-14-1-9 19-22 8-11 15 3 16-29 5-52 53-45 82 1 26-29 8-7 11-9 3-10-6-40 20 8-13-5-24 16-57 40-33 13-22 15-6 5-14 11-5 7-30 20-15 24-42 8-5-5 15 11-9 14-46 31-46 1-26 15-12 5 12 42-43-4-16-25-13-18 35-86 62 0 37-15 32-32 18-7 18-22-11-42 25-5 11-23 15-2 5 37 2 12-10-10 13 11 24-45 47-37 20-19 52-12 9-2 11-16 18 2 15-11 7-14 27
-4347 1015-2 9 11 5-9-14
-5658 1453-17 12-4 14 19-14 2-12
-5610 1450-4-12-12 4 5 18 7 2 4-12
-5603 1227-12 12 7 25-2-22 7-15
2883-1024-17 3 17 22 7-12-7-13
-827 792 4 38 22 64-10 56-15 18 11 8-7-2 12 37-11 22-10-1-15 24-6-16
-434 1364 193-114
-241 1250-89 0 49-422 13-14-8-39-183 0-8 1-1 8-4-11-63-2-12-13-28 24-13-11-9-27-8-7-9 3
-241 1250 298-195 1-14 30-24 69-24 6-22-8-13 8-7 48 6
11 746-49 6-61-29-7-15-23 3-15-13-4-16-14 1-3-19-11-5-21 11-11-5-8-9 5-16-13-6 3-17-43-26 1-22-12-17-1-31
-276 521-34-9-3 24-8-8-12 5-2-16-12 0-4-10-24 15-25-14
-400 508-13 16-4 26-16 0 13 18-21 16-11 36-18 3 2-10-20-12-26 10-21-16-12 15-18-9-10 9 6 10
5105 312 12-3 38-39 16-27 1-96 19-18 22-60-14 12 1-8-26-7-6 11-103 67 0 19-29 35-19 101-11 23
5879 209-24 8-63 0-13-20-6-45-17-7 3-19-20-13 3-14-16-26-31-1-14-10-31 10-3 6-23 0-15-6-5-15-14-6-35 2-30-10-42 38-6 14 5 6
5482 101 11-13 68-18-9 12 11 25-3 12 12 0 4 18 73 21 47 54 7 18
5703 230 30-28 9 18-5 16 14 9
5751 245 4-25 9-2-7 27
5757 245 21 10-7 16 9 9 14 1 44 68 1-19 22 17 4-13 20-17-10-23 25 9 6-10-7-8 19 5 45-25-17-14-33-2-4-8 18-22-27-6-15 4-6-8
2477-622 20-32 15-83 10-20-2-24-11-17-14 25-12-3 9-48-20-38-4-55-109-322-22-19-29-4-33-16-19 1-54 27-18 35 1 44-22 52 12 51 15 9 30 63 2 25-20 57-3 44 22 35 3 24 21 2 16 12 19-3 5 9 23 4 12-9-3 10 7 10 23 15 8-11 0 15 13 19 5 2 1-14 15 18 9-2-9 15 11 21-3 15 16-3 27 23 6 21-7 18 21 20 17-18
2497-845-6-9 10 19-4-10
1117 2116 33-29-4-20
1146 2067-16-10-30 0-21-14-31 0
1048 2043-13 3-11 18 4 30
1028 2094 8 0 3 10 39 8
306 2506 4-10 14-6-7-17
317 2473-27 4
290 2477 4 5-7 14 12 12 7-2
1045 2764 11 17-8-17
1062 2763-10 41
1052 2804 52 16 102-7 36 8 11-11 30-5 47-22
1330 2783-7-16 16-3-50-22-12-25 10-9-11 0-3 7-57-20-42 2
476 2364 3-11
575 1659 39-16 50 3 95-26 26-49 106-25 65-33 30 11 20 24-10 43 10 20 25 18 51 18 27-1 45-15 1-14 9-6 80-12 14-16
1258 1583-15-16 6-28-14-29 14-51 0-359
1199 975-400 197-50-22
598 1176-23 40-62 14-13 37-28 36 3 14 19 15-7 35 9 22-6 70-24 47 10 5
-514 424 25 3 13-10 8-32-5-14 17-10 11 2 12 21 9-6
-424 378 9-29-15-24 36-13 4-13 17-7-4-74
-377 218-80 35-57 51-21 9-40 32
1793 1672-22-18-16 0
1755 1654 27 58 17 19
1052 2804 2 37 32 38 42 7 36-32 18-5 37 14-3 31
1216 2894 48 8 59-25 45-1
1407 2807-28-17-26 2-23-9
5376 735-29-19-22 13-14-5-12-7 4-21-26 12-10-3-8 12
5006 1016 6 21 19 6-5 3 9 17 22 15
5057 1078 5-18 28 1-3 30-11 22 11 12 19-6
3547 2112-2 5 18 20 25 4 87-21-4 10 7 20 32 12 58-20 81 7 107-10 15-15 25-3 15-11
4011 2110 0-8-89-31-16-17-61-3-29-33-32-3-8 16-34-7 0-8-42-14-8-12 3-11-13-7
2414 1481-10 9 5 9 8-10-3-8
2327 1455 30 45 25 5 17-6
2399 1499 8-20-9 2-12-11 17-2 19-41
1028 2094-4 17-21 16
-7867 93 8-6-20 8 7-3 0 9 5-8
1763 275 3-7 21-1 1-27 13-17 44-2 59-39 71-9 17 20 46 21 19-16 37 1
2077-85-14-12-18-4 0-13-13-13-21-7-5-29-31-61-14-11
2625 2089 5 49-35 5-14 15-16 1 0 15-23 36-25 6-4 7 7 8 57-4-26 19 20 22 89-1-21 12 18 31-4 33-29 7-17-9-48 15-65-26-27-4-5-9
4366 2454-26-2-12-26-40-7-12-23 7-33-9-10-35-11-6 7-82 10-35-79 15-9-5-15-33 3-8 8-91-23 30-8-6-8 0-23 21-47-19-6 7-8-17-7 1-27
1939 1669 13-54 10 3 3-6-8-6
1748 1468 1 10
1749 1478 24 96
1773 1574 5 46
1778 1620 1 12 10 5
6917 1891-6 0 2 13 12 12-2-12 6-1-12-12
6747 1714-14 1 17 12-3-13
6548 1520-4 2 9 19-5-21
6504 1611-6 1 2 14 8 1-4-16
6469 1718-6 1 10 15-4-16
7191 2206 45-10 33 20-12-33 10-18 25 4-46-19-47-6-27-23-10-21-69 29-44-12-25 11-8-13 42-25-25 1-14-15-17-2 3 22-13 18 1 15 29 19-2 17 37-6 12 5 1 18 18 42-9 34 4 12 14 5 47-42 47-27
6559 1680 26 0-8-16 18-1 5-17-17-23-16-53-13 2 1-9-21-12 5 34-11-7 1-19-22 11 9 10-6 25 22 26-7 2 2 9-15 17-6-4 3-12 7 0 1-8-14 4-15-10-4 24 16-10-21 19 57 34 12-2 11-14
6718 1713 14-2 5-20-18-11-10-18-27 14-18-8-24-30-15 8-4 26-19-5 30 17 15 21 13-8 19 4 1 11 17 5 21-4
7061 2069 12 1-2-34 19-21 9-44-26-51-18-3-7-10 2-51-21-44 15-26-21-10-5-17-22-14-6 3 1 17 14 14-13 4-9-13 1-13-21 7-18-33-7 4 7 16-9 5-27-26-56-1 11 10-16 3-2-7-6 18-13-19 17-12-1-6-26-7-21-31-11-4-12 4-17 22-1 14 16 17-34 7-80-23-41 1-9-24-20 11-41-4 4 21 18 1 78 55 53-1 60 12 7-11 29 4 10 8-2 18 32 31 7 32 24 7-21-20 6-14 11-4 54 23 28 31 26 15 20 37 13 37-3 12-13 3 14 17-3 21 16 8 5 19 12-1 6-19 19 3 6 16-22-3 0 6 7 12 14-6
6413 1333-20-11-3-14-7-3 12 30 10-2 8 11 0-11
6473 1410-5-4-10 7 26 13-11-16
-3863 923 45-15 7-12-32 3-17-13-28 8-29 20 23 12 31-3
523 2343 27-4 12 10 46 5 11-19 66-9
686 2279-5 10-21 0-46-17-3-10 15-14-14-12 8-25 58-32 22-45 27-22 31-15 50-2-13-19 103-43 25-22-6-20-13 6-11 17-34 11-13-2-20-36 30-18 3-19-28-10-4-20-24-23-21 5 12 29 16 7 0 9-25 52-38 13 0 11-9 10-21-3 6 6-21 5-15 21-35 1-70 51-25 6 1 7-32 21-17 49-71 24-38-27-25-6
375 2188 7 20-16-1-21 10 5 24-18 12 25 16-17 18 11 9
779 1911-24-38 10-20-9-19-31 6-18 15-75 25-10 11 15 18 8-7 23 7 21-10 90 12
482 2044 8-19-8-12-4-55-25 4-5-14-16-2-11 14 6 32-7 4 4 19-15 18 1 11 25 1 26 18 21-19
1778 1620-18 7-7-4-5-31 12-4-16-18 29 4
1749 1478-4-4
1745 1474-33 86
1712 1560 12 19
1724 1579 31 75
1712 1560-2 6
1710 1566 14 13
-311 2704 3-3-9-4 16-51-22-29 7-5-28-4-4 4-55-21-17 3 0-8-45-11-27-1 16 10-30-4 26 14-37-4 22 16-23 4 29 3-6 7 13 7 43 7-11 4-46-9 20 10 11 16 19 5-59 11-1 6 20 3-9 6 16 4-17 3 3 12-12 3 2 5 76-1-4 5 24 15-31 2 19 10 5 13 31 6 5-7-5-7 9 3-2 10 8 6 20-6-13-7
2238 1857 30-56 46-12-14-9 7-24-23-16-2-11-7 0 2-18-7-12 31-28 5-23 63-27 22-31-7-40 17 0 0-27 26-25
2427 1498-28 1
2809 1346-11-11-33-3 23 9 0 6 26 1-5-2
3063 1781-9-38-18-17 8-10-12-1-8-10 2-23 20-7-18-22 13-41 0-37 42-6 8-23-49-53
3079 1260-8-5-38 9-7 8-6-6-47 8-21-3-85 19-18 55-8 9-23 6-80-35-53 11-50 30-11 15-44 12-16 14-20 46-10 4-1 14-29 39-26-9-28 18 11 5-11 1-4-19-19-8
2241 1983 33-33 32-6
2306 1944 18 1
2324 1945 76 39 16-14-11-8 10-11-15-8 30-22 13 1
2443 1922 11-39 52-13 21-19 29-14 54-6 78 16 8 0-12-4 14-2-2 26
4874 73 23-24-6-21-37 43 20 2
4958-89-17 8-11 21 4 12 13 0 16-33-5-8
5832-431-3-13-36 5 11 2-1 15 17 12 16-7-4-14
5772-408 13-12-28-22-4 13-22 10-8 11 35 5 14-5
5302-83 16-40 23-6-10-16 2-9-33 13-11 32-32 7 16 23 6 3 6-11 1 10 10 2 6-8
6159-228 1-13-7 4-4-20 10-10-11-3-7-14-9 1-3 9 9 13 5 30 11 12 5-9
6132-263-4-6-14 3 5 28 16 7-3-32
5416 184-11 1 7 6-12 8 12 12 8-12-4-15
5410-150-7-11-10 7-12-6 2 32 28-7-1-15
6769-33 26-3 24-19-23-4-9 18-5-3-13 11
6774-80 71-10-34-5-37 15
6541 0 23-8 3-7-17-3-19 14 14-13-7-5-3 7-8-3-15 8 29 10
6423 103-8-1-4 13 19 15 1-19-8-8
6408-83-38 1 12 15 26-16
6303-123-7 24 7-24
6301-89 16-2-43-6-5 5 32 3
6248-85 11-1 7-8-45-6-5 7 5 10 27-2
6566-400-10 0 1 16 25 28 3-16-19-28
6340-383-16-15-34-1 9 16 31 4 10-4
6229-407 23-2 5-7-38-5 2 12 8 2
6550-66-11 3-5 15 18 2-2-20
4825 261 52-1 35-39 3-16 72-46 39-50 18-12-3 15 11 1 22-28 31-17 15-26 32-13-2-8-23-10 40 15 17-12 5-12-18-12 1-19 14-15 33-10 7-37 16-14-9-25 16 11 21 0 32-36-10-26 2-69-7-41-20 14-13-10-22 11-2-19-38 41-65 46-21 28-27 22-35 46-29 71-32 43-25 16-28 75-45 25-5 24-32 37-26 12-43 42-19 31 1 14 20 2 44-19
6139-431-87-16-25 7-32-3-5 8 4 14 37 9 41-17 26 6 18-8 26 16 4 4-8 2 8 4 4-11-11-15
6001-469 27-17 12-19-18-10-9 3-33 23-26 4-6 9 17 8 36-1
5912-416 19 2 5-7 10 6 11-18-33-10-5 9-9-8-57-13-14 5 3 23 16 9 20-3 20-15 14 6-21 13-3 10 18 1 6-10
6245 50-24-26-33-9-25 1-13 9-121 1-19-13-9-23 2-18 30-41 25 2 21 26 20-6 15 9 30 0-3 5 17 4 14-10-3-11-24 5-32-33-30-17-15 1 47-51 5-15-7-21 22-23 7 1 2-17-38-7-4-15-23 4-5 9 7 24-36 29 8 38-20 5-20-14 9-38-8-72 8-23-44-1-10 15 13 64-8 26-27 2-7 38 16 12 11 28 0 26 9 25 11 11 6-9-6 39 27 53 17-6 13 20 11 3 26-13 42-2 20-9 11 5 39-5 64 42 6-9-17-25
5369-300 14-11 34-3 17-26 87-7 21 26 17-13 18 2 50-14 13-19 0-13 11-5 52 1 18-8-2-30 10-18-66 24-29-6-59 5-111 30-68-1-32 12-41 6 3 15-16 7-47 4 26 19 15 27 37-9 11 10 17-5
5879 209-6-5 16-20-36-3 14-10 1-11 13-7-3-7 25-30-14-15 60-52-22-8-31 14 2-11-11-8-11-24 2-51-32-22-9 9 1-14-24-23 7 0 2-7-7-11 12-8-2-11-10-2 0-17-8-2 5-9-15-24-63-28-9 39-9-3 0 10-32-11-4 13-14-2-15 15-3-12-11-7-24 0-21-12-8 34-39-10-1 9-10-6-6 6-16-3-8 48-7 7 1 29-10 13-26 11 6 8-13 12 7 22-16 16-1 28 11 17-6-1 3 13 15 21 13 5
6387 42 7 0 17 28 23 9 1-24-22-18 32-26-46 13-5-9 5-27 22-33-19 10-17 23-5 54-9 15 11 35 20 18-8-18 7-7 0-18-18-16 4-9
6488-143 41-14 14-22-3-14-48 27-16 0-3-7-30 11-17-10-19 14-12-17-1 14 16 18 78 0
6343-154 18-16 1-12-28-9-31 20 1 16 39 1
6253-476-32-31-34-10-7 4 6 9-6 6 3 13 19 18
6222-459 24 12
6737-285-1-30-14-2-14 14 9 11-7 7 19 14 8-14
6727-322-11-20-11 0 1 33 21-13
6927-414-12-6-33 1 22 41 34 8 11-15-22-29
7049-456-50 48 7 12-9-9-28-4-7 10-17-13 9 33-17 16 22 4-29 12 13 4-21 26-7 20 4 5-9 2 7 6-13-1-1 12-39 26-65 20-39 4-26 19 10 7-45 6-15 17 8 21-16-18-6-24-8-8-16 0-8 38-39 26 13 5 24-5 24 17 25-9 10 11-6 5 7 10-81-7-14 12-5 22-46 9 13 26 57 25 23-3 31-15 25-1 14-31-8-18 5-29 13-27 5 17 18-37 17-6 11 1 19 17 26 36 35 9 2 13 34 18 100-43 59-14
6945-419-17 4 12 6 5-10
5085 104 1-15-11-2-4 14 14 3
5121 50-7 4-1 16 9-8-1-12
5125 73 0-6-24 13 24-7
5151 37-26 6 0 11 26-17
5158 44-23 9 1 5 22-14
5229 61 0-19-7 11-9-2 16 10
5239-9 11-5-28 5 5 10 12-10
5224-17 6-6-12-10-5 10 11 6
5485-59-12-5 1 15 13-3-2-7
5692-355-36-6-20 7 17 10 51-4-12-7
6378-16 6-7-4-8 12-11-19 2-8 15 1 8 12 1
6646-295-4-4 14 34-10-30
6414-184-18-1 20 9-2-8
6341 202-6 2 3 23 8-12-5-13
6543-416-4-1 12 12 8-2-16-9
6518-85 3-14-9-3-25 9 31 8
5021-159 2-7-13 27 13-11-2-9
4992-117-12 4-1 12 13-16
4923-27-8 0 6 16-5 11 11-13-4-14
4823 118-33 15-4 8 9 3 28-26
6102-272-12 9 6 9 6-18
6161-59 1-10 10 7 4-10-12 0-5-9-1 16-14-14 1 20 16 0
6026-315-2-8 0 34 2-26
5815-193-10-10-4 22 12 18 2-30
6148-545-7 0 1 7 27 14 2-9-23-12
6214-416-7-11-11 5 16 12 2-6
6196-414-18-14-16 1 12 11-5 2 27 0
6545-39-25-7 25 7
3852 1755 38 20
3890 1775 12-1-1-11 15-33 32-15-12-14 4-26 17-16 4-34-15-7-11 12-16-4 18-28 0-32 18 4 20-20 32-10 3-12 40-20
4405 1394 24 11 11-5-3-24 8-10
4445 1366-8-7 6-11 38-12 36 8 20-5 66 5 1 21-5 8-19 5 2 10
4582 1388 45 6 36 37 25 5 43 30 38-14 33 20 16-10-12-8 1-8 15 7 7-15-15-17 16 2 36-12
4866 1411 1-14-23-18 11-23-18 11-27-4-54-33 1-28-28-36 6-14-29-58-40 9 4-27-2-22-10-2-4-16 4-24-10-12-14 7-5-8
4629 1099-17 85-16 0-8-31-7-4-9 11-6-5-8 28 10 22 26 5 11 10 6 24 12 3-20 11-81 0-30 7-1 32-7 14-7-11-9 0-17 21-3-8-7 0-23 15 4-10-18-24 44-31-25-4-22-28 35-17-8-30 8-21 10-4-3-7 10-47
4453 1105-6-8 6-14-10 4-6-8-5 27-3-23-15 5-8-6 4 25-13 12 11-13-11-15-42-16-12-13 6-27-11-19-19-16-7 3-1-8-32-10-4 9-13-6-3-8 13 1-33-25-34-41-87-60-5-27-25-12-24 1-15-29-17 7-17-9-12-32 12-80-7 12-5-6 14-12-6-33-18-36-8-33 7-3 0-47-26-3-19-35 4-11 20-7-22 3-28-8-11-10-7-26-27-15-23 12-25 29-12 28-4 23 11-19-6 19-31 72-39 60-28 97-21 29-6 29-8 2-17 38-23 109 6 19-1 7-7-9-2 5 1 11 8-1-10 4-6 24 12 42-14 35 6 5-6-1 25 15-29-3 8 14-9 0 2 9 12 4-31 2 5-10-12-13 11-14-12-19-50-21-27 5-75 73 4 7 11-8 45 15 16 25-42-16-21 4-30 18-11 19 18 14-27-13-4 13
4695 342-4-5-8 14 8 11 4-20
4625 528-7-1 0 11 8 7-1-17
4636 577-9 17 12 17 4 57 10 9 0-16-9-14 6-20-13-27-1-23
-777 3311 47 8-26-14 21-4-6-13 21 1 4-5-8-5 43-3-9-8 11-15-14-3-9-13-17 0-12-16-101-28-59-7-6-9-36-7-77 8-15 6 4 6-12-3-25 10-75-6-2 13 32 0 30 15-30-3 8 4-3 6 18 5-28-4-15 13-68-3-10 6 106 9 6 7-36 1 33 12-53 7-50-9-29 6 31 1-12 12 41-1-28 4 16 2-13 7 17 0-8 4 7 4 51-14 0 8-25 8 23 2-32 4 11 5 24 0 51-21-6-3 10-3-3-8-14-1 26-23 17 19 17-3 5 23 8 3 36-17 5 16 27 5 35-22-8 21 37-10 20 12 34 0-3 12 15 4 13 0 22-15
945 2297-27-9-28 2-64 35
805 2343 18 7-1 20 12 7-13 7 32 1 4 15
-4367 649-7 19-17 2
-4391 670 1 25-18 4-16-6-29 23-15 5
-4468 721 9 9 0 22 48 34
-4411 786 26 10 40-8 27 1 19 12 25-6 25 4 36-8 25-21-11 6-6-6 30-9-7 7 24-18
-3589 986 7-28-8-9 3-12-13-7 12-13 0-15
-3588 902-15 9-41-3-25 5-25-11-30 20 13 11 71-11 21 7-22 25 6 18-35 11 0 7 26 6 55-10
-3640 939-24 9 24-9
-3001 427 41-23 35-34-9-50 13 23 22-4 38-30 1-32
-2824 97-42 1-36-22-15 3-9-15-13-4-22 9-26 25-1 20-12 20 7 45 16 18-8 22-22 8 8 27-8 8-30-2
-686 634 1-18-12-5 10-10 0-14-47-12-18-28
-752 547-1 10-8-5-9 9 2 9-6 0 20 10-21 6 21 12-43-9 1 8-20 6 4 9-24 6
-665 452-7 19-13 6 1 19-37 16-9 26-4-4-10 14-7-8-1 7
-400 508-8-9 1-24 12-4-1-12 7-5-9-15 12-7 2-12-28 3-1-10 13-9-12-26-12 0
-4458 891-4-96 17 0
-4445 795 15-7 0 10 19-12
-4468 721-11-1 2-8-25-17-3-8
-4505 687-64 12-43 28
1031 1919 7-15-20 5 10 15 3-5
1044 1890 6-5-9-2-10 10 13-3
1004 1972-10 1-12 15 14 1-4-6 12-11
1171 1948 35-16 8-21 14-4 1-6-11 0-16 19-19 2-20 18-20 3 20 9 8-4
1359 1773-5 7 7 11-2-18
1347 1836 21 7-21-7
1341 1891 12-5-24 0 12 5
1250 1888-15 10 13-3 2-7
1305 1911-10 1 5 6-8 11 16-2-3-16
1321 1966 6-16-19 1 6 9-10-5-12 5 16 9 13-3
1272 1999-4-9-15 3 0 7 19-1
1392 1796-6 2 0 11 26 13-8-19-12-7
1193 1777 15 3-3-5 11-7 71-1 3-11 26 10-8-15-68-4-17 11-43 5-1 14 8 6 6-6
1302 2036-47 14-67-13 5-16 18-5 6-9-31 9 12-10-1-8-26 15 10-17-36 24 1 10-15-5-1-23 36-43-8-4 0 8-12 2-2-6 9-7-24-9 34-10 38-26 0-23-26 18-23-8 22-22-16-5-22 10 22-55-22 18-15-16-17 27-9-14-16 17 5 15-28 26 14 15 13-1 8 7 55-18 12 11-37 13-47-6-7 8-8-7-21 27 18 1 0 6-20 1-36 33
1000 1985 12-1 7 6-4 9 18 7 18 25-3 12
1146 2067 78 11 39-16 33 4 12 6-4 13 12 1
59 304-12-13-34-3-113-50-56 16
-156 254 2 2
-154 256 3 1
-151 257 10 1 3 14-12 14-12 54 23 57 14 13-12 42 2 22
-135 474-11 56 4 20 111-4 16 12 11-2
381 2380 0 28 26 41-70 9-20 15
306 2506 12 10-1 7-17 15
360 2664-6 10 10 10 36 1 5-12 7-1 5 8 8-10 6 24 29-1 29-15-40 18-4 17-13 2 16 12-14 18
434 2745 53-4
487 2741 14-7-8-10 58-5-8-19 27-3 59 26 57-15 7-15 20-7
740 2543-24 9 2-7-71-25-20 0-13-11-9 6 21-20-7-8 15-16 57-33
691 2438-5-11-12 2-5-11-31-13 10-10-3-9 8-3-2-9-41 12-58-16-30 8-13-14-10 11-23 1
686 2719-1-5-17-2-10 6 1 9 12 8 15-16
711 2694-15 0-5 12 20-8
415 2739 5 14-1-8 13 0-17-6
2076 2076 12 23-14 34-75 38
2322 2095-13-12 25-19-7-10-63 18-14-7
2250 2065-78-10
-838 653-3 14 8 7 12-11 50 10-47-6-10 12
665 108-6-44 50 5 13-24-6-14-19-13-4-28 31-19-5-65-9-24-10-7-13 18-14-13-23 4-19 25-9-5 0-21-42 0-3-25 20-24-3-17-19 7-19-20
556-196-70 73 17-4-22 9-16 23 9 0-11 4-11 26 14-17 9 4-10 2 2 10-14 1-18 35 12-4 18 16 3 35 22-15 10 8-23 5-11 13 9 5 6-4-1 23
480 52 87-2-1 58
566 108 1 7 11 0 87-7
474 2140 4-32-19-39-19 10 4 6-13 12 4 8-7 13 13 12 25 6 2 15 6-11
375 2188-3-1
369 2187-40-27-23-6-53 18-17-3-40 9-33-18-10-14 8-24
85 2125 0 5-14 0
-90 2170 16 8 12 50 8 7-8-2 8 44 27-27-13 23-20 13 8 1-5 29-32 10-14 15 2 11-9 6 9 6 14-3-38 5 4 8-18 2 0 5-77 10-18 11 18 6-13 6 17 1-24 3 0 9 74 15 27-15 13 5 22-3 5 6 26-2-9 7-1 20-14 24 30 0 6-15 49-4 29 7-15 3 3 10 53 15 18 13 4 31 42 11
126 2555 12-17 17 1 29-24 25-3-2-13 20-1 14 10 2-19 32-13 15 1
2790-1067-22 3-6 11 4 8 17 0 9-12-2-10
-3041 725-12-2 2 7-10 12 15-4 5-13
-3066 812-10-1 2 14 15-12-7-1
-3080 800-8 3 1 15 9-4-2-14
-2708 268 16 21 47-18 30-24-1-8 5 4 8-7 3-18 9 14 8-29
-2583 203-62-92-43 7-18-12-25 10
-7466-884 7-9-20 6-3 9 13 2 3-8
8210-1012 50-26 23-25 64-42 2-11-26 3-77 49-37 40-6 17 7-5
8401-1072 6 0-1-9-8-1-7 12 10-2
8370-1058-16 8 6 10-7 4 12-1 5-21
3459-2455 21 6 2-7-12-3 7-4 39 10 12-7-9-12-31 0 27-7-9-6-48 9-17-9 3 27-6 5 12 20 7-10-4-11 6-1
999 3018 14-5-11-8-15 0-3 8 15 5
1390 3027-63-6 2 10-10-10-21 3 4-7-14-4-115-14-22-8 9 10-14 10-23-10 6 18-57 11-4 18 12 32-17 19 4 15-12 17 19 21 9 0-6 8 39 6-4 6 15 10 53 20 48 38 36 3-3 5 8 2-6 7 4 17-33 10-3 9-23-3
1242 3250-13 2 21 0-8-2
9000-808-22-24 0-5 19 11-1-11-36 1-25-13-10 10 4 8 71 23
8914-869 16-14 3-21-35-9-32 9-3 11 12 16 39 8
8924-949-26-7 26 7
9000-827-18000 3 18000-3
1826 713 25 1 12 9 16-16 15 36 28-22 29 10 9-7 47-1 34-17 78-83
2119 623-29-39 0-35 56 1
1216 2894 10 24-20-5-18 5-12 15 8 6-12 7 3 14 44 14 53 2 3 6 74-9 52 1
1131 2931 35-8-47-12-19-14 9 11-15 5 5 6-6 6 38 6
1146 2941-19-7-6 9-18 4 29 7 13-4 1-9
1930 900 22-46 13-58 24-40 4 18 17-23 49-20 24-32 29-20 8-18 36-26
2156 635-21-16-16 4
2007 785 13-6-21 2 5 3-6 11 9-10
437 188 10-7-12-20-11 2-1 10 14 15
480 52-11 5 21 39 0 19
490 115 9-7 67 0
-4391 670-5-11-38 5 8-5-79 28
1258 1583 11-7 26 5 67-12 92-27 57 21 9 10 26 5-18-7 22 2 4 7 22-7 18 4 13-10-12 7-6-9 16-10 9 5-3 5 19-12 53 4 27 9
1745 1474-34-86-49 40-34 71-10-17 27-54 32-33 21-63 62-108 29-27-12-1-2-7 10-42 58-47
-4016-169 18 11 12 29-6 26-4-24-6-1 2 10-14-17-33 22 9 16-7 43 17 12 5 13 9-2-10 13 22 26-2 31 59 21 2 13
-3943 73 34-25 24-6 15-22 45-8 11 10 50-27
-4007-149-7-1 3 12 16 2-12-13
-4517-39-10 10 14 5 3-9-7-6
-4471-46-10 2 17 9-7-11
-4564 1 24-39-16-13-13 0-6 8 19 15-15 27-9 1 12 6 4-5
-3589 986 11 9 30 1 50-12 11-19 25-1-19-8 47-11 17-14-17-20-13 9-17 2-25 0-35-11-8 6-19-3-21-32-16 20
-3064 762-5-1-4 21 9-6 0-14
2156 635 13-30-43-26 36-4
-1498 4178 208-15-310-9-2-5 346 9 32-14 98-5 50-9-80-14-323-8-15-5 17-6 220 3 42-15 40 4 28 13 80 1 10-6 0-12-18-13-79-26-6-4 4-3 175 43 108-12 60 18 41 4 150-8 51-10-85-20-67-4 12-6-14-6-113-9 41-8-27-8-147 0-37-12 5-12 35-2-3-20 21-8-107-26 9-5-38-43 17 0 26 11 69-10 9-7-69 2 22-13 47-7 43 2 7-6-2-11-13-8-94 8-57-12-36 6-13-6 36-5 20-15 81-8-5-6 22-12 6-13 1-10-7-6-48 7-58-15-30 5 27-8 36 6 10-9-13-12 9-1 22 17 22 0 35-22 0-10-93-11-41 6 10 12-11 4 0-8-18-6 7-4-7-7 10-3 89-8-14-19-85-10-45 7-46 18-26-8-42 13 37-16-64-14-61 9 37-10-51-5 171 13 105-24-2-26-10-3-1-11-88 19-28 27-102-16 92 9 6-20-25-5 31 1 131-34-25-11-1-7 3-7 6 10 27 2 12-48-43-3-3 20-12-21-32 1-33 9-29 29-66 18-60 2-1-4 63-3 9-11-53-15-84 2 21-8-8-9-47-11 129-2-56-19 12-1 18 10 75 8 166-13-44-11 2-4-41-3 6-8-28 0 0-7-44-9 4-5-69-24-186-24-26 3 6-7-19-3-67 19 7-9-9-2 10-11-50-19-47-45-27-14-27-10-34 10 11-15-37-15-7 8-7-11-20 5-35-14-12 6 36 29-44 4 20-6-19-18-19 6 16-15-99-8 30-11-34-15-41 0 6-9 15 3 24-22-30-13-40 4 48-8 4-21-25-10-3-12-14-11-40 7 27-11-13-12-52-1 39-8-8-20 10-15-23-7 13-2-20-46-16-12-44 4 35-10 5-17-10-7-32 5 15-8-12-2-26 5 10 18-20-13-38 9 1 9 19 4 11 10-31-11-33 9-5 8 14 22-51-20-65-3 20 12-30 0-2 9-25 5-6 12-12 4 4 4-9 11 28 9-40-4 3 12-38 12 1 12 25 16-30-11-53 41-4 18 64 11-11-1 2 6-55-11-8 5 23 18 28 6 16 0 18-12-6 13-20 3-22 22 12-20-25-9 4 8-6-1-33-27-9 10-8 37-14 8 46 20 26 3-73-16-32 7 5 19-15 3 109 42-91-34-29-2-1 13 11 11 52 12-65 5-10 8 4 14 64 17 95-12-28 9 11 5-69 2-70-15 29 33 78-7 22 16-52-8-59 4 17 16 22 4 49-8 24 3 17 10-22-3 8 19 39 2-39 2 14 23 23 7-8 7 9 4-97 2-88 18-26 14 19 6 68-3 64-16 42-2-32 9 3 14-26 8 38-1-99 9-6 7 67 18-83-5 15 11-10-1-24 26 8 3-13-2 22-23-27-10 3-10-43-4-39 9-3 7 17 21 24 13-37-10-3 6 17 3-15 5 34 6 9 15-17 7-29-1-2 6 21 10-41 12 13 10-19 18-51 0 27 5-1 11 23 4-115 42 15 7-13 9-133 24-106 10-104-11-85 3 20-11-7-1-75 7-58 15 68 13-88 8 9 8-46-8-27 13 109 6 42 9 87-5-3 6 10 6-28 8-127-11-60 13 22 6-58-1-77 19 17 14 42 7 132 12-1 4 32 5 128 7 27 13 24 28 31 5-133-1-18 10 134 36 40 3 33-9-9 10 12 6 78-3 17 13-5 17 38 9 58-2 133-26-132 31 236 19 43-10 6-25 26 11 6 8-9 4 4 10 106-21 68 1-59 16-13 11 47 1 266-35 9 3-5 13 20 13-4 6-62 13 210 1-256 10 174 15 85-8 47 12 110-17 11 8-40 11 107 8 332 1
-2637 3497 35-7 7-10-93-17-21 7 26 3-8 4-55 9 7 11 23 0-26 10 23 9 54-6 28-13
-2551 3478-11 0-5 15 33-1-17-14
-2677 3552-21 4 19 9 7-7-5-6
-2751 3640-27-12-33 8 60 4
-3583 3866-42 3 53 1-11-4
-2243 4104-95 13-29 13 47 5 74-11 8-4-5-16
-1272 3546 2-13-41-10-19 5-72-4 21 22 50-2 40 8 19-6
-933 4092-19-1-29 13 15 2 33-14
-881 3991-52-5-24 7 30 8 53 0 4-4-11-6
-950 3899-6-2-10 20 19 4 3-15-6-7
-929 3802-6-1-19 20 1 14 16-3 8-30
-900 3770 6-10 24-8-75 2 2 12 43 4
-898 3882-13 1 27 10-2-8-12-3
-2313 3039-6-6-21 6 30 8-3-8
-2584 3543-23 2 9 4 14-6
-331 3111-2-6-9 1 6-8-23 16 28-3
628 2789-17-16 10-9-16-5-2-18-10-2-10 20-19 1-15 26 32 12 10-13 2 13 18 8 18-3-1-14
434 2745-3 26-24 9 1 50 26-5 10 12 16-2 3 16-13 0-11-15-16-3-9 10 17 13 41 3 26 20 33 8-8-6 3-19-11-12-1-19 32-9-8-10-19 1-10-20-14-1 6-4-21-13 4-12-11-11 11-2 3-9
532 2781 9-15-10-13-32 5-6 10 0 8 39 5
568 2745 19-5 1-6-36 5 1 8 15-2
537 2738-6 5 16 15-10-20
627 2748-21-2 8 7 13-5
754 2751-20 4 2 7 21-5-3-6
848 2430-21 10-24-2-50 12-19-20-32 0-11 8
1700 1753-26-3-5 8-33 1
1636 1759 8 0 3 11 33-2 48 15-31-18 3-12
1700 1753-50-25-28 8-6 12-1 6 21 5
-4092 1158 60-3 41-11 27-24 30-2 52-28 7 4 18-12-11-1 5-7 8 5 12-12 57-11 6-6-6-14 42-3 36-18 0-7-48-13-2 5-6-5-44 4-78-6 31 27-6 12-45 6-18 15-12 27-32-1-44 15-12 12-28-2-7 9-5-8-28 6-12 8 18 6-6 9-45 0-32-23-26-3-7-11-23-8 0 7-19-3 28 11-2 15 16 14 39 15 71 10
-3932 1128 18-5-18 5
-4128 1079-20-7-11 8 10 0-5 10 5 7 13-3 8-15
950 2243-17 11-42 0-45 10-20-3-11-11-26 9-2-21 18-12 10-20 49-34 18-22-3-3
879 2147-34 23-46 6-40 33-3 4 18 1-25 16-6 24-16 11-11 2-23-25-12 13-2 21
833 2150 26-4-26 4
860 2156-41 5 41-5
839 2164-18 2 23 0-5-2
740 2249-18 6 7 6 11-12
759 2217-22 18 22-18
760 2196-17 12 17-12
724 2233-8 12 0 13 8-25
880 2138 7-3-20 4 13-1
926 2122-74 29 31-6
883 2145 39-17
-276 521 21-9 7-15 17-11 14-4 28 14 28-1 20-24 6 3
-151 257-9 11-7-11-39 8-24-3 28-1-62 0-4-3 15-1-43-6-81-33
-4144 404-20 29-9 2 8-15-15 4-7 7 6 9-6 18-42 20-7 17-15 11-12 7 19-22-12-12-28 19-8 17 9 22-12 8 8 8
-4182 546 15-30 39-37
1198-544-6-7-81-5 3 43-23 40 4 38-6 69-59 2 0 18-36-3-18-8-9-41-88-7-30 42-14 55-13 13-169 2
653-293-30-7-12 12
611-288 14 3-2 31 31 22
654-232 17-10 12 6 3 13 32 8 2-27 15-2 64 56 12 36 0 43 33 48 44 34 16 128 27 73
931 174-1 43 23 28 22 11 36-14 17-19 93-16 22 29 28-3 45 17 37-2 23 18 65-13 13 7 16-5
1451-136 10-17 0-39 9-30
665 108 64 2 16-9 42-5 16-12 6 29
809 113 22 62 44 9 33-9 16 6 7-7
654-232-14 10-21-9-18-19
601-250-12 22-33 32
2224-604 1-14-14 9 13 5
2173-595-12 7 4 19 8-26
-3344 61-10-2 0 22-16 25-27-19-13 12 1-13-83-1-1-32 27 0 8-21-16 4-29-7 0-36 21-18 12-35-28-152
-3943 73-8 8 11 11 11-3-1 29 39 18 37 60-9-1-1 8-4-6-2 15-6-1 12 25-5 30-8 11 15 12-12 20 5 20-26 32
-3869 433 30-36 0 19-7 13 32 20 13 19 19 4 5 38-8-3 13 24 30 24 25-5-9-7 6-5 13 28 41-1 52 29 7 15 21 12 23-4 6-15-9-9
6093 1575-17 2-15 13 32-15
6115 1498-16 9 16-9
5057 1078-3 10-24-14-23 0-11 27-36 5 15 42-32 12-9 35 8 11-31 0-33-10 7 15-8 14 2 14 8 5 4 19 42 30-5 11 6 5 3 30-5 40-9 4-8-6-12 32-23 17-14-15
4582 1388 0 8-18 8-13-6-33 6-1 8-18 4-25-13-29-37
3890 1775-52 8
3727 1851-8 7 25 4
6218 2000-13-8-22 2-41-14-43-27-15-3-1-7-25-6-3 9 29 9-3 6 10 8-27 0-1 8 13 5 0 10 14 6 24 29-22 22-6-7-27 3-35-33-55-24-20-29-34-6-22 7-12-17-3-12 10-15 59-14 7-17-6-18 16-10 24 1 25 26 25 8 44-19 21 3 30-6-11-17 4-6-9-5-20 6-56-16 4-10-9-1-4-14-12-4-4 8-7-1-4-4 9-7-43-34-13-23 55-28 30-63 0-18 24-12 3-11 23-19 0-6-9 1-58 19-24-8 34 2 3-8 44-25 11-20-23-6-30-22-19 1-12-7 15 3 7-8 31 8 21-16 20-5-29-20 19 7 4-6-2-18-10 6-14-6 12-9-7-1 6-4-9-11 7-17-17-4-7 5-9-14-11-2 5-5-12-24-26-37-10-3-3 11-12-3 15-22-21-14-16 3 10-9 14 3 0-30-22 3 5-11-15-2-4-14-13-4 1-11-29 0-12-7 11-12-22-20-8 0-5-13-3 7-11-7-9 3-21-35-42-4-7-7-15 5-17-10-10 7-5-12-15 1
5713 1127-12-1
5701 1126-20 17 0 13-5-1-9-9 11-16-2-18
5676 1112-2-2
5674 1110-17-6-3 6-6-15-19-6-11 10-3-12-18 5-17-14-29-2-23-15-7 6-13-20 10-5-2-8 10-11-20-10-12 5 4 4-15 24 14 28-21 11 1-8-23-5 1 8-16 2-15 13 1-13-9 3-17-10
5545 1000 6-17-19-18-9-28-22-16-25-10-41 16-2 38 31 23-5 0 4 6 48 9 18-4 4 8 12-7
5713 1127 0-12-16 3 4 8
-3476-875 10-22 11-6 7-45 25-24-12-14 7-12-10-7 0-16 14-10-4-14 18-20 16-76 34 0
-3360-1141 10-9-18-52-45-18-15-17 9-18-11-16 9-37-9-15 14-26-26-9-17-38-24-25-8-34-10-11 3-38 6-5-6-9-10 0-8-33-10-6-3-21 16-20-5-6 17-40-3-16 13-4-2-47-10-4-17-42-8-5 8-41-33-23-7-16 2-46 16-39-6-10-22-10-7-33-9-2 3-19-8-8 6-8-12-22 1-43 8-20-17-11-2-16 2-24 17-9-7-5 11-29-7-23 30-3 3-6-5-10-40-1 1-6 22-4 12-13-7-14-12-3 5-19-12-10 9-25-12-9 2-18-22-15-9-19 11-17-15-15-1-14-21-11-5-14-16-1-6-13 4-27 17-31 41 3-3-43 21-21 101-2 76-18
-3422-2618-40 8-19-13-59-15-10-51-15-5-44 12-12 14 24 6 2-14 5 2 3 12 23 10 3 11-8 3-45-19-13-16-26 11 17 24 60 8-60 3-20-27-26 12 20 7 6 11-23-10-22 2-1 12-13 14 23-6 8 8 21-4 23 11 11-13-7-8 10 5-5 13 4 15-31 12 28-17-46-12-12 12-22 6 14 3-1 18-44 10-14 19 21 1-5 9 7 6 42-29 7 22-16-16-11 11 1 6 11-2-34 16 15 11 19-1-18 11 1 9 23 0-13 8 8 21-14-24-7 5 1 40 17 6-24 1-5 23 59-7-10 7-6 17-11-13-14-2-22 13 6 7 15-6 5 4-17 8 16 13-8 20-10-5-24 7-1 11-26-9 6-12-14 8 2 8 37 23-7 14 45 6 2 13 8 5 7-2-10-31-19-8 22 3 4 16 7 1 2-13-13-23 6-1 12 33-9 14 2 7 24 7 16-6-25 11 2 7 36 25 1 8-30 14 13 26-4 16 16 14-4 19 10 8-7 12 7 3 11-9-4 20-16 4 23 13 2 7-11-10-21 9-14-13-25 2 6 8-12 7-6 23 16 51 12 9 10 28-15 36 3 23-10 17 0 18 3 8 19 1 5 24 27 46-2 9 20 24 11 47 17 25-4 28 14 22-12 95 2 21 13 10 4 24-10 37 17 27 27 103-4 27 13 26-6 31 9 54-10 15 13 21 13 67-4 90-13 68
-3431-2633-2-110
-3433-2743-41 0-12 7-39-5-71 15 56 10 5-8 19-2-27 20 0 12 16 13 8-18-13-1 5-7 18-12 22 4 24-13 11 8-47 15-9 11 3 8 37 15-48 2-6 15 15 7-12 9 22-3 26 17 13-9 27 0
-3354-2758-13-7-8 6-29-2-11 12 53 0 8-9
-3689-2167-30 5 17 72 26-5 5-15-3-13-15-6 17-18-15-11-2-9
-3724-2457 1-28-7-15-8-1-6 15 8 15-12-6-4-15-25 2 12 15-8 7 19 4-7 7 13 9 3 11 18-1 3-19
-3775-2438-6 0-1 9 4 25 8 3 12-30-17-7
-3719-2646 36-7 26-15-57 14-22 17 17-9
-3728-2430-18-1-14 32 19 6 13-37
-3646-2674 36-16-34-16-4 3 10 10-14 1-2-8-7 1-5 13-26 9 20 7 26-4
-3741-2581 2-10 12-7-8-16-8 0-12 25 14 8
-3485-2746 62-2 3-4-11-6 17-5 12-19-41 9-1 11-16 3-8-6 9-9-14 3-26 14 5 13 9-2
-3570-2702 19-4 1-6-7-7-17 7-23-3-14 13 11 8 30-8
-3687-2220-13-10 12-33-17-3-26 34 6 8 20 5 5 12 15-7-2-6
-3649-2239-21 0 7 21 24-7-10-14
-3765-2534-7-3 1 13 15-2-9-8
-3755-2442-15-16-12-2 8 6-5 11 24 1
-3728-2564-3-6-21 0-12-11 6 17 30 0
-3753-2515-19-2 6 16 22-4-9-10
-3707-2597-17 11 17-11
-3716-2285-18 2 18 24 0-26
-3550-2743 29-2 6-11-9-3-48 14 22 2
1143 546-18 4-36-18-7-20-65-56-69-9-4-5 11-9-27-31-46-3-43-21-12 15-29-18-24 1
774 376 4 13-22 39-39 32-18 25 13 14 71 1-26 32-3 60-12 33-19 26-20 3
809 113-6 32-47 46-3 23-17 16-8 34 3 29-9 9 15 12 37 62
-1258 847-8 0-1 8 15 4 3-4-9-8
-1172 750-13-2-2 18 15-16
-1204 831-12-6-4 6 16 0
-6633 2706 18-1 7-7-19-15 18 1 2 18 24 5-18-44-25-3-11 5 16 2-21 8-13 25 3 8 19-2
-6588 2660 6-14-17-2 26-9-7-6 23-14-4-7-47 31-5 6 6 5-20 7 39 3
-6360 2532 86-16 33-39 48-21 18-27 6 4 3-12-13-5-72 20-6 5 16 20-5-10-31-3-15 7 10 4-16 3 1 8-31 1 1 9 20 4-38 13-11-3-6 13-31-1-2 16 21-2 1 9-30-4-15 10 22 8 36-11
-7050 3483 91-7 96-28 100-14-32 12 16 5-17 5 39 17 34 1 3 10 26-9-15-12 89 20-7 3 70 9 24 11 56-1-65-22-55-6-37-14-37-21 11-5-7 5 38 0-8 4 1 8 47 18 36 1 4-13 43 26 61 12-13-8 15-2 29 17 30 8-25 8 9 8 39-14 30-28 45-18 27 2-8 12 29 16-12 2 22 7 8-20 14-3-18-14 7-3 41 1 25 22 64-1 80-21 146-23 58-4-9 7 40-2 41-10 33-17-7-7-33 1-34-19 15-4 135-7 118 16 22-13 30-2 9-14 12 9 32-17-1-8-25 0 62-35-23 17-1 11 29-4-40 47 10 4-2 7 69 8 1 6 33 14-36-4-7-8-51-1-6-8-29-1-20 7 20 16 108 15 24-5 15-20 36-9 9-9 50 3 58-19 195 3-14 8 3 6 59-23 16 9-20 8-33-2-22 22 42 1-7 7 6 1 24-3 18-11 27 3-14-14 37 10-19-36 11-12 21 2-3-7 13 2 5-10-50 1 32-21-13 16 32 0 7 16-20 24 10 14 36 3 65 27-10 1-2 12-9 6-10-11-27 1 26 16-9 2 0 8 32 5-6-10 16 8-6 5-37-1-18 9-9-3-57 11-30 20 13 16 21 1-5 4 5 4-19-3-14 8 5 22 19 9 25-4 8 8-24 4 50 19 57-11-1-5 41-19-1-21 30-10 16-17 14 1 10-7-38 3-10-7 27-3-45-19 48-6 36 5-12-6 51-3-41-9 38-20-5-20 17-11 17 12 12 26 19 12 62-22 11-24-26-3 1-17 48-38 40 15 8 16 22 14 14 30 41 5-12 3 12 12-26 8-8 30 146-7 12-3-19-7 23-5 4-8 45-5-32-13 29-1 5-10-32-10-32-1 17-15 10 3-2-14 38-21-8-22-97-34-57 30-15 2-14-6 19 2 26-13 18-23-38-1-49 18-55-2 1-8 36-12-67-38-33-1-90 30-83 0 75-8 47-22 98-7 0-7-49-41-33-12-69 7 9-9-15 1 7-9-7-6-33-5-87 13-57 15 7-14 14-1-5 5 61-12-15-7 39 5 47-15 2-12-4-7-28-8-51 0 21-11-31-3-10-10 12-9-34 10 15-7-23-10 1-4-12 0 13-9-30-14 2-7-10-2 1-8-22-27-13-5 6-4-7-58-9-10 34-17-3-21 11 22 47-1 37-70-18-20 110 15 89-20 67-40 90-21 23-13-7-13 15 10 57 2 76-13 9-12-10-29 14-21-8-39 35-30-11-11 18-1 40-22 11-19-21-13 19 9 19-1 38-26-19 18 2 11 19 14 20-21 8 15-12 14 27 24-15 20 1 10-19 40 8 9-7 5 4 4-12 4 5 3-29 26 97 31 51 35 11 18-2 41-16 29-13 13-68 33 4 11 34 24-5 5 7 10 19-5-7 5 9 17-14 3 6 3-11 14 9 6-15 5 10 9-29 0 33 37-25 14-6 22 38 15 85-16-5-4 22 7 35-10 0 5 47 13 51-18-5-14 28 0 9-8-9-5 29 2-11-9 11-1-5-4 16-9 57-5 14-10 26 8 4-9-18-18 4-20-49-3 46-5 8-12-5-17 17-2-10-22-12 5-19-10 19-4 25 10 29 1 16-8 8-13-7-16-34-13 31 8 20 21 7-9-9-8 15 13 4-20 5 11 43 14 18 15 13-7 5-11 4 7-6 12 33 12-16 8 14 5-3 8 22-5-18 8-2 12 21 0-8 6 18 22 16-4 4-4-18-8 25 2 3-16 8 4 15-15-9-7 26-9-28-7 37 0-2-10 12 1 8-10-33-17 47 8-11-15-22-9 39 7 26-12 0-15-27-7 29-3-3-9 32-11-2-17-56 6 38-14-10-5 26-3-15-6 18-1 3-9-8-2 18-7 18 4 9-11 11 3-3-7 10-8-21-21 43 12 16-6-20-18 29 19 13-3 11-15 41 2 28-14-62-28-59-10-16-12-13 3 15-9-12-11 84 36 37 6-22 3 8 3 39-3 14-18-19-9 9-8 25 14 19 1 25-14 8-13-5-11 5-18-26-5 29-3-2-6-12 2 16-13-64-34-76-8-79-52-82-8-50 10-185-4-26-11-22-33-45-7-70-50-67 13 62-18-11-18-35-30-28-17-31-6-55-24-25-23-28-12-14 2 17-10-36-17
-6139 2450-15-1-6 8-2 6 18 7-20-3 5 17-17-14-26 10 2 7 9-8 12 5-15 3 3 20-6 2 4-5-6-10-15-5-25 12-14 20 10 11 0 12-10-18-21-1-3 7-5-9-23 2-17 4 27 6-31-1 7 8-7 1 0 10-6-7-21-3-32 15 14 22 36 5-32 0-15-11-10 10 2 26 18 8 10 2 26-17-24 22 13 13-4 4-2-9-37-19-15-25-13 19 16 8 5 11-17-9 11 28-15-5-8 16-28 11-5 9 16 8-2-7 49-14-14 10-24 4-4 9 11 6-21-1-15-21-15-8-39 23 15 21 21 4-23-2-18 12 44 52-12 5-12-25 1 41
-5491 3933 18-5 5-10-197-1 121 20 53-4
-5523 3905 42-2-62-11 35-4-2-12-88-9-60 10-6 14 49 9 92 5
-5778 3868 5-3-43-8 25-10-22-2 16-9-53-9-12-13-38 6 11 19-5 1-46-14 9-8-19-11-29 9-8-10 10-7-19-6-24-2-22 18-19-10-59-2-12 3 2 8-15-1 24 12 43 4 123 42 113 2 7 2-17 4 27 4 47-9
-5415 3803 29-3-15-10 40 5 15-11 11 7-8 5 9 5 39-1 15-4 6-11-19-25-12-6-53-8-84 7-184-32-50 1-43 12 77 15 58 2 32 10-134-8-7 10 20 8-28 1-7-10-18 2 8-5-5-5-28-5-20 7-15-8-94 16 17 9 106 11-101-2 108 13-83 3 22 12 72-1-53 6 42 10 40-2 19-13 56 0 42-13-10-5 26-1 24-14 99-2 8 9-48 12 22 9-44 15 74 21 19-4-8-8 25-17-14-8 5-1
-5726 3630 47 3 7 10 18 7 91-14-32-18 11-3 74 18-23 17 33-1 62-21 29-42 18-5 26 14-20 12-27 51 15 3-4 6 77-7 53-21 27-40 25-20-7-26 47-21 25-7 2 8 70-20 4-6 23 0 10-16-7-8-22 10-8-8-30 7-18-6-1-8-41 5 20-9-4-14 48 14 9-3-3-8 13-4-4-8-52-10-110 5 4 8-56 4-14 13-12 1-39-22-102-16-177-10-27 14-7 22-141 11-29 19-5 13 130 13 148-1-106 20-191-4-40 17 28 10 126 17-132-5-14 3 24 10-62 5 2 11 36 14-13 8 5 6 90 26 97 16 22-4 6-20-22-15
-5987 3706 27 4 4-9 29 11 51 0 106-37-178-41-28-19-33-4-22-36-56-3-55-17-24 3-34 26-92 15 11 14 32 16 1 13 20 5-12 9 50 32-20 7-25 22 160 10 97-15-9-6
-3474 4151 153-5-103-13 179 12 20-6 50 1-7-4 28-8-8-5 77 1 25-7-49-15-325-37 195 10-239-56-58 8 23-15-90-6 75-2-40-8 13-4-14-4-53-3-98 9-13-2 59-4 14-8-115-9-70 5 65-14 56 0-3-9-202 1 35-7 81 3 91-14-22-9-77-1 61-10-38-16-103-3-3-21-21-8-104-2-54 10 19-8-39-3 128-5 14-13 47 2 14-6-14-14-126-20-10 2 8 7-7 5-37 2-40 11 14-13-82 0-17 11-3-16-70-1-39 12-11-10-34 3-6 7-1-10-45 1-5 19-6-6 4-12-52 4 4 16 47 13 87 5-43 13-21 14 4 3 63 4 59-20 55-5 44 4 50 28-59-23-54-2-22 3 0 10-12 8 46 14 20-1-34 3 6 14-40-20-32-2 15 13-50-11-32 3 4 12 34 18 90 7 86-7 76 10-133 1-7 4 49-1-84 30-58 9-10 14 6 7 139-2 102-27 60-4 18 3-44 2-99 31 306 27-93 5 22 10 70 13-116-15-28-14-62-9-94-4 33 10-14-1-132-12-74 5 69 18 98 8-125-5-97-19-77 13 139 6 77 12-234-12-18 4 39 7-24 3 13 3 91 7-135-6-15 1 39 11-93 0 37 9 144 14 52-7 99 1-79 12 86 11 65-6 48-12 16 1-21 5 10 2 156-19-151 27 38 6-22 5 66-2-19 8 9 2 113-5-71 12 14 1 120-3 74-17 22 3-78 20 135 1 88-15-39 11 68 8 57-10-24 6 73 5 24-5
-4774 3890 118-7-36-10-107 1-15 8 40 8
-4677 3751 4-8-6-10-48-1-103 21 32 19 54 9 49-10 20-14-2-6
-5000 3697 42-10 74 7 28-4 6-7-31-8 17-6-58-21 40 3 28-13-2-7 29 4 3-13-16-6 10-6-8-8 7-10-48-11-30 2-7 10-7-4 13-17-23-7-25 3-72 40-56 8-49 22 7 11 18 5 46-18 40 3 4 10 14-4-6 10-15 5 36 1-27 7-26-4-32 10 27 6 23-8-23 16 49 2 4 2-15 2 11 3
-4246 3263 21 10 21-12 101-29 19-21-10-10 53 4 12-8-4-2 20-5-39-17-67 12-4 11-42 11-67-42-38-9-18 29-71-5 12 15 34 12-6 21 15 49 13 15 13 4 16-6 7-9-7-5 16-13
-4885 3823-2-6 10-12-3-12-15-5 25-4 3-13-16 4-11-4 11-13-21 2 4-8-112-2-12 9 17 3-30 5 77 18-167-9-13 4 33 14 58-4-15-1-11 7 3 4-22 4 16 8-29 2 18 9 96-27 8 2-21 8 29 1-44 5 22 4-45 8 41 8 58-9-6 8 15 4 51-12
-5171 3966 25-4 13-7-3-7 7-4 44 10 33-7-4-7 55-4 22-8-13-6 4-7 38-15-8-7-40-3-31 5-25 15-76 2-7 7-89-4-24 11 71 1 5 3-27 2 32 5-40 2 15 6-14 5-37-10 8 11-42 5 10 10 98 0
-4594 4057 62-27 70-4 2-13 17-5 33-2-21 7 5 8 42-2 3-10-15-4 36-3 11-7-16-16 48 3 17-8 18 7 30-17-96-15-33-15-15 4 5 14-11-2-11-16 14-7-38 2 7-9-9-10-63 20 27-21-48 8-10-2 17-6-55 0-71 14 49 4-70 3-19 8 24 1-50 10 143 20-76 4-114-9-32 7 67 16-73-3-30 8-16 15 107-5 19 8-57-3-50 9 42 2-30 10 1 7 11 1 100-8-80 14 13 8 101 6-48 6 1 5 57 0 58-10
-4715 3846 54-8-16-16 27 9 85 3 38-9-44-2 107-8-6-6-100 2 106-21 4-3-22-9 36-5 3 8 11 2 22-7 33-2 14 7 65-11-5 5 106 16 89 1 125-20 8-9-44-11 49-6-47-1 10-5-7-11-83-5-50 4-8 13-21 4 9-7-10-9-44-4-32 5-168-5-7 3 11 11-10 3-51-14-50 3-20 5 4 5-13-8-18 0-23 7-11 13 5 3-15 7-2 7 18 13-6 9-46 26-109-5-38 11 19 5-62 9 25 2-18 9 46 4 77-7
-4810 3927 64-8-21-8 20-7-103-14-33 15 36 3-55 8-14 8 13 4-14 10 48 1 59-12
-4659 3708 48-9 57 1 36-7-60-31 7-2-35-22-105 0 22-5 12-11-30-22-53 1-3 24-17 19-2 41 47-2-23 12 9 7 90 6
-4872 3482 57-15 27-22 25-4-67-18-44 4-42 15-47 1-15 9 53 13-2 14 25-6-13 10 11 9 19 0 14-5-1-5
-3055 2297 12 2-10-14 16 3 14 10-14 0 22 18 22-8-4-7 6-3-43-18-30-1-9 7 3 22 26 32 20 10 7-13-8-23-30-17
-3735 2250 57 21 20 29 52 28 80 24 52 46 33 20 111 38 54 7 48-8 17-11-15-2 14-7-1-8-50-26-33 8-39-8 42-5 13-13 30 9 15-6-11-18-20-13 24-2-3-9 18-32 31-4 4-3-11-4 38-13 30-1-3-5 14-1 26 12 9-10 21-4 4-7-9-4 21-3-113-33-15 2-1-10-19 8-5-8-9 3 0-10-60-41-32 15-4 16 17 21-12-3 83 42 15-16 2 10 37 7-76 0 28 24-16 5 2-6-9-9-55-21-11 5 4 5-21-16-34 3
-2773 2577-6-8-23-3 12-14-45-49-6-22 32 25 1-9 33 2-32-18 13 2-10-10 35 2 2-6 6 6-7-21 43 22 3-10 24 6 17-6 2-9-29-18 15 2-5-6 13-2-21-13 55 12-6-12-36-19 11 0-11-11 9-8 20 18 21 6-16-30 12 2 8 11 6-12-20-43-26-2-1 25-20-15-9 2 16 28-6 16-11 5-14-23 0 7-19-8-23-24-23-2-7 8 57 32-29 0-11-10-27 2 13 5 0 11-46-13-78 9-46-5-4 15 51 29-42 2 16 9-3-4 9-3 16 24 20-5-5 5 6 8-10 1-2 6 10 8 12-2-7 10 24 40 13 6-6 4 13 16 18 16 33 11 28-1
-4329 3551 47 7 41-7 6 31-32 3-29 14 30 13 52-10-28 13 11 4-36 2-16 15 20 12 50-8-60 15 52 18 32-2-6 5 24 6 91 3 13-5 9-14 28-10 0-10 16-7-47-23 30 7-16-13 12-5-11-1-1-8 38 14 15-1-11 8 13 5 42-8 0-12 21-8-14 11 8 13 59-9-38 9-10 6 3 5 58 8 78-8 32-13-43-30 39 17 44-1-3-10-44-7 25-1-15-23 26 21 31 7 7-3-24-16 24 9 27-15-5 13 19 7 63-8 23-12-73-22 45 10 53 1-4-13-57-18 31 3-8-19 23 23 45 12 79-10 7-5-6-5-79-19 64 8-11-11 13-2 26 9-5 3 10 7 13-2 25-12 8-14-41 1-62-13 101-3 28-10-6-5-57 4-55-7 37 3 27-6-6-13-72 4 55-8 14-9 61-4-16-6 11-5-5-8 13-1 1 8 21 4-3-12-12-9 29 11 4-8 18 2-2-10 7-4-1 10 22 8 7-3-9-10 19 3 40-14-12-3 4-8-35 1 5-2 38-3 12 6 28-7-33-21 66 4 13 7 41-20-11-4-30 4 27-11-14-5-35 4 8-4-7-5 27-9-30 0 11-10-14-10-25 1-15 10 2-8-12-2 16-2-1-20-12-15-37 13 4 11-15-14-42 32 48 28-28-12-41-4 8 10-20-3-46 24-16-3 4-12-33 7 35-21-9-5-23 1-32 14-14-2 26-6 2-10 16-5-4-11 18 4 23-10-11-5 26-13 6-13 3 9 21-7 0-7 14 8 25-8 8-4-12-7 22-3-25-7 21-14 24 0-6-5 19-11-7-1 2-21-7-1-27 26 7-26 19-16-24 1 3-16-56 24 0-5-10 1-12 12-3-9-59 33 9-16-39 15-21-1 39-26 23-4-3-5 88-40-8-5 4-9-13-2-116 20-24 7-24 17-32 0-43 12 8 6-20-3-33 18 31 8-46 7 6 9-16-4-48 29 10 9-33 0-7-8-4 9-16 2-11 9-12-3 11-13-51 1-2-6-55-8-47 6-19 13 6 18 35 11-5 8 7 5 75-12 15-8-3-8 6-3 5 8-22 15 112 9-9 14-34 20 69 28 13 16 28 11-55 50 2 5-27 0-2 17-13 0 7-8-22 2-25 12 9 5-11 2 12 4-7 1-86-18 1 16 30 1 16 9-44 15 14 7-42-1 11 7-37 3-9 20-25-1-39 19-17-10 29-11 0-8-14-5-128 9 37-12 0-6-32 10-37-5-42 8-132 2-27 5-9 11 5 5-75-10-47 13-31 27 116-2-128 20-7 4-9 22 18 12-10 3 2 11 23 17 7 15 26 15 49 16 48 6 88-3 1-4-55-22-29-25 17-15 5-28 60-27-78-17
-3090 2455-62 6-72 33 17 3 64-12 52-21 6-7-5-2
-3191 2323 7 5 28-7 55 0-25-11 2-10-16-1-11 4 6 3-8 5 4 5-12-8-17 2-42 25 20 18-4-14 13-16
-4100 3148-6-15-45-22-34-3-11 13 27 24 69 3
-3977 3121 13-12-19-27-30 9 4 20 13 9 19 1
-3784 3416 31-9-3-30-14-9-77-6-18 22 31 29 50 3
-3977 3683 63 0 54-8 56-31-171-6-22 5-12 18-30 6-4 17 22 4 44-5
-4037 2637-65 15 10 7 35 1 19-14 1-9
-3941 2807 8 15-8-15
-3947 2813-12-19-5 2 5 15-16-17-13-4 11 16-23-10 24 20 3 11-4-18 13 21 16-9 1-8
-3999 2810-4 4 24 9-20-13
-4492 3863-58 3-9 12 50 2 23-8-6-9
-5228 3857-33 2-42 27 39-4 39-17-3-8
-4940 3999 0-10-7-3-59 14 20 7 46-8
-5264 3646-83 29 16 10 55 3 47-9-2-13-33-20
-5111 3801 11-4-66-9 14 8-36-1-11 2 9 5-30 3 84 10 25-14
-5201 3829 49-7-61-6-17 13 29 0
-5916 3779-54 2 39 14 56 9-41-25
-5692 3888-38 1-22 9 35 6 36-12-11-4
-6512 2698-7-6-16 4 13 8 10-6
-6492 2658-34 19 6 4 23-9 9-10-4-4
-6511 2751-6-10-12-3
-6428 2647 3-21-9-12-3 24-8-4-14 16 7 14 20-8 4-9
-6208 2477-24 11 24-11
-6332 2480-15 6 1 6 9 0 5-12
-6259 2505-6 16 11-10-5-6
-6447 2625-16 15 16-15
-6418 2620-4 15 10 4-6-19
-2989 2197-17 1 17-1
-3096 2364 7-1-11-1 4 9 26 11-26-18
-3678 2273-20-1 24 13-4-12
-3241 3128 20-4-12-5-15 4 7 5
-3412 3012-6 4 11 12 16-5-21-11
-3517 3127-21 3-23 14 39-7 5-10
-3242 3068-30 14 33 1 6-3-9-12
-3251 3094 9-6-20 7 11-1
-3220 3018-17 1-5 6 22-7
-3087 2878 5-7-19 6 14 1
-3396 3477-15 4 23 1-8-5
-3134 3353-10 0 24 6-14-6
-3953 3796-32-2 43 11-11-9
-3969 2598-13 2 18 4-5-6
-3681 3389-43 1-13 11 65-2 2-9-11-1
-3894 3174 17-12-20-6-30 15 33 3
-4726 3787-19 9 20 4 10-11-11-2
-4839 3647-16 3 2 6 23-2-9-7
-4868 3726-19-1 16 6 3-5
-4914 3693-57 2 88 9-31-11
-3700 3131-31 5 31-5
-3744 3417-26 12 21 3 9-9-4-6
-3927 3036-6 0 21 5-15-5
-3834 3170-34 9 11 5 24-9-1-5
-3971 3489 3-3-10-4-24 0 3-6-41 8 69 5
-3901 3486-1-6-40-6 41 12
-3882 3200-16 0 16 0
-3960 3442-10 4 37 22 21-2-27-18-21-6
-3850 3457-16 3-1 10 34-2-17-11
-4346 3506 20-5-40 3 20 2
-4186 3290 24-5-44 4-17 15 34-6 3-8
-4330 3387-15 5-3 13 13 10 14-6 1-15-10-7
-4234 3279-21 9-2 13 19-8 8-10-4-4
-5061 3829-20 1 67 7-47-8
-5150 3907-14 1 24 3-10-4
-5085 3885-34 1-5 8 42 1 32-8-35-2
-4486 3825-22 1-20 12 31 4 12-5-6-5 5-7
-4804 3775-39-7-8 5 33 10 20-5-6-3
-4765 3725-27 4 16 3 11-7
-6054 3787-8 1 18 8-10-9
-5678 3837-64 3 47 5 19-4-2-4
-5206 3752-38 5 27 14 24-2 11-10-24-7
-5011 3440-19-2-1 11 14 1 6-10
-5015 3525-19 7 20-2-1-5
-4776 3479 7-4-6-7-12-1-1 11-11-8 5 10 18-1
-5059 3470-9 8 18-5-9-3
-5092 3429-23 5 24 6 5-4-6-7
-5227 3420-26 8 23 0 8-4-5-4
-5395 3370-13 1 2 10 6 0 5-11
-6952 3479-13 1 21 0-8-1
490 115 7 39-13 23 4 4-10 9 9 3-3 10-10 0-3-7-21 9-4 23-13 6-4-8-1 12
5221 521-27 12-15-5 7 17-9 12-9-11-10 0-2 27-9 12
4935 510-7-8-5 32 21 52-12 1-3 71-19 41-5-13-10 47 6 0-10 10-5 51-7 7 7 27-17-2-9 29-18 15 3-18-7-17-16-10-13 13 7-16-28-14-19-22-2 19-8-14-12 0-2 18-12-14 2 31-13-21-11-4 18 77-17 59-8 8-2 19-5-19-22 23 16-6 9 10-20 17 5 7-23 8-5-11-7 11 3 15-12-10 3 8-7 11-1-13-20 25
4616 1040-7 25 8 7 15-7-3 34
4724 797-3-5 9 18-6-13
4686 978 11-7-2-4-7-1-2 12
119 595-20-24-28 1-26-22
1429 2187-6-18-16 1-11-11-2-22-20-14 27-25
5751 245 6 0
5703 230 47 21 1-6
-2583 203 6 13 16-11 25-98 13-15 25-9 3-25-43-47-26-15-35-64-34-10 36-1 52 32 10-41 15-13 54 14-16-46 21 37 25 22 13-7 5 7-5 17 17 20 28 4 7-5 1 7 97-37 7-18 12 13 15-17 6 3 6-16-11-10 5-6 11 11 3-10-10-11-7-31 14 13 11 23 6-1-5-15 41 21 57-21 18 3 20-9 76 3 74-43 65-60 30-9 52-1 7-7 28-88 0-48-25-63-21-23-7 1-25-40-39-29-9-17 0 7-33-67-19-18-15 17-8-9 5-5-17-34 5-2-2-21 5 0-6-31 9-60-16-66 2-26-24-28-7-66-59-83-2-38-35-16-14-13-3-18-46-1-10 12-3-14-34-5 11 4-9 5-39-7 3-11-37-16-7-10-26 0-44-22-57-40 4-6-14-13 1 5-11 2-4-8-13 4 17-12-13-12 2-17-6-4 9-47-12-69-47-39-28-53-31-42-56-43-1 14 19 3 20 15 6 18 9 1 14 20-1 14 7-1 1 9-23-5-14 16 7-16-6-20-4 4-7-21-24-14-11-25 4-14-27-49-36-30
-2880-1509 86 90 10 0-2 9 31 17 13 16 50 21 9 42-12 31-13 7-23-3
-2908-1008 15 9-14 12 21 35-3 6 14 35-17 35-28 14-4 27 7 21-92 1-3 39-17 19 15 1-11 64-29 16-35-2-17 18-32 8-15 17-68 11-29 23-19 37-3 37 7 18-5 21-59-9-57-39-18-1-27-20-48 7
-2481-11 25 3 36-7-22-54-10-7-7 5-3-9-13 4-4-10-11-4-35 1-13 27 9 7-11 10 8 31 20 8 31-5
-2487 13-9-14-21 3 3 10 27 1
-2533-7-13-9-6 5 10 9 9-5
-2472-6-19 1 16 9 6-4-3-6
-2521 7-1-7-9 3 12 27-2-23
-2592-72-5-1 20 40 14 6 5-6-6-18-28-21
-2424-1388-3 9 6 9-3-18
883 2145-4 2
-3132-1112-10 12-51 0-23-41-14 30-59 6-22 15-7-16-18-5-24-30
135 319-54-8
-4415 924-3-6 14-7-10-30-2-49-29-37
126 2555 41 14
4616 1040-13 19-10 58-19 27-27-14-15 25-2 25-2-9-15 2 16-10-7-25 9-20-20-27-7 3 6 14-12-7-2 5 3 17-8-24-13-11-4 26 1-18-7-10-10 3-5 16
4558 1109-6-4 2 21 4-17
4539 1104-13-1 8 13-9 26 9-1 9-17-4-20
2530 1294-7 4 1 13 5 1 1-18
-3883 1212-5-4 10-1-1-20-9 1-12 23 17 1
-3861 1295-9 6 8 7 0 20-14 14-21 3 20 0 24-18-8-32
-3651 1060-7-11-26 0 8 11 14-2 9 8 2-6
-3887 1235 0-12-15-9-5 11-15 6 10 2 4 27 21-25
-3925 1336 29-1-41-10-12 9 9-5 10 11 5-4
-3710 1111 18 26 0-10-18-16
-3833 1274 27-17-2-24-8 8 5 0 3 15-31 15 3 7 3-4
-3783 1173-17 11 17-11
-3742 1145-19 13 4 5-9 20 24-38
-3765 1210-10-3 5 6-16 22 21-25
-3652 1121 15-5-21 3 6 2
2238 1985 14 3 7-9 30-2-1-8 11-7 7-18
2324 1945-4 15 9 1-11 9 6 8-45 21 15 2 4 11-25 15-4 7 10 8-25 12 5 3-9 8
2429 2092 44-52 36-15 9-11-40-4-12-30 2-13-10-16-7 6-8-15 0-20
7159-598-3-17 14-17 18-85 10-6 26 11 40-35 7-73 25-26 10-36-4-32 15-14 2-21 38-21 14 1 16-20 51-25 6-10-10-5 26-27 25-66 14-6-2 13 7 7 23-20 1 9 6-2 8-52 16-16 34-17 54-66 0-12 12-14-2-62 23-52 2-22-29-94-5-44-23-50-33-23-26-34-1-17-8-4 6-2-18-23-4-26-30-41-13-84-23-13-80-8-51-36-32-3 6-9 6 3-3-15-12 14-11-2-7 12-20 6 7 7-3 8-26-13-12 8 10 0 10 12-11 10-25-12 13-4-56-30-54 22-37 5-15-4-20 14-32 9-30 33 4 29-7 14-37 40 16-2-1 12-38-13-17 1 16 30 0 13-21 30-19-49-41-5 7 16 18 0 6 38 22 29-4 19 7 5-11 26 0-12-27-40-40-21-27-31 3-16-8 6-8-4-26 18 5 5 11-5-11 31-25 35-21 5-10 21 6 1 1 9-29 17-22 1-23 11-27-2-54 25-110-10-81-28-70-2-84-36-37-45-67-4-5 6-33 3-77-8-20-19-28-6-52-29-67 4-27 9-21 19-28 8 0 37 18-6 16 22 1 75-31 57-11 71-35 53-7 37-42 58 7-3 2 8 11-24 13 3 1 8-23 31 2 6 14-12 0-14 7 5 7-15 11 2 0 21-40 71 3 29 14 22-4 39 17 38 5 3 1-33 28 33 100 58 35-3 68 23 17 13 24-2 71 22 17 14 25 42 25 18-10 35 10 18 32 31 29-54 2 25 12-5 2 10-19 21 6 4-1 10 6 1 7-9 9 6 37-7-19 5 12 22-7-6-6 11 3 13 13 11 18-8 1 7-9-1-3 8 10 8 16-6-9 20 20 12 2 11 2-13 8 3 4-8 6 6 2 26 10-9 7 7 8-7 17 21 28-15 36-34-6-31 10 2-2 15 18 11 24-5 8-14 2 14 19-13 0 14 10 2-12 9 5 4-16 8 23 41 21 14-5 17 12 14 11 2 0 10 12-6 1 10 21 15 7-11 41 5 8-6 5 8 10 1-2 24-43 17 7 6 10-7 9 5 17-14 14 5 11-15 62-18 15 4 15-11 10-1 35 20-11-20 12 3 7-13 9-1 1 15 13 9 20-19-20-22 3-11-7-11-8 4-19-8 2-32-28-41 3-8 42-32 20-6 4-11 46-17 27-24 38-9 12-21 40-19 24 4 16 10 29 68 10 50-7 63 7 43 15 10-12 19 10 19 4-4 10 56 15 12 7-2-2-7 11-12 5-35 15-7
7654-1288-2 28 9 10-4 9 6 5 4-17-13-35
6975-829-18-7 8 13 14 3 6-6-10-3
6836-690 8 1-7-15 11-5-3-6-28 4 4 18 12 9 3-6
6523-584 7-7-28 2 13 22 8-17
6531-569 32 10 14-13-30-24-21 15-7 21 12-9
5659-1303-12 26 12-26
6880-1787 26-6-22-2-12-9-34 2-11 8 5 7 35 7 12-1 1-6
7557-1175 5-14-10 12 5 2
6830-569-4-3 13 21-9-18
7252-2039 64-19 26 0 8 8 23 0 26 11 12-4 6-68-6 12-10-14-5-20 3-25-10-3-7 10 8 5-11 4-6-10-8 12-3-21-12 3 4-6-10-17-42 4-2 8 10 3-16 1-20 19-14 34 13-13 3 7-9 11-5-3 0 9-24 31-6 21 4 15 16-5
7196-2006-4 11 8 16 7-19-11-8
7400-1988 15-11 1-10-11-4-17 19 12 6
7416-2015 4-9-19 5 15 4
3685-2657-12-2-10 10 29-7-7-1
-2910-1624 1-24-12-8-6-27 7-27-6-5 12-19 37-17 18-17-10-27 15-20 18-4 0-29-41-56-32-18-147-28-61 10 2-22 12-7-6 0 5-4-3-18-13-19 8-24-8-11-28-10-33-3-63 21-13-7 8-61 22-8-2-8 8-1 16 2 2 7-9 2 22 5 9-8 0-21-21-9-22 18-25-7-2-5 35-10-26-11-21-20-1-39-18-15 0-17-27 2-38-15-33-40 5-19 36-28 46-8 4-20-22-13 20-6-82-51-23-51-17-6-20 17 0-9-16-3 19-1 9-7-26-11-21-32 8 1 7-27-20-2 25-5 26-34
-3431-2633 19-21-10 1-2-10 16-2 7-13 36-24 53-25 53-7-15-12-52-6-107 9
-3228-2736 37 0-47-5 10 5
611-288-10 38
587-863 1 71 13 16 27 104 21 33 31 25 9 23 3 45-42 94 18 18 1 15-28 71-27 42 39 13
-111 1755 27 4 63 34 19-1 18 16 47 18 67 4 59 15 49 0 27-13 59 22 22-8 16 2-2 7 36-12 33 4
1000 1985-7 17-27 18 7 0-6 13 12 56-12 4
-2286-3026 27-11-39 7 12 4
-9000-4500 17930 0-17930 0
-9000-4218 415-9 210-15 552-17-50 13 49 2-7 2-426 22-5 1 74 4-46 7 33 7-47 11-142 0-68 18-254 32 59-6 62 4 170-19 140 0 59-12 66 7 46-10 138-1 121 15-33 6 111 7 103 20 19 7-85 25 38 12-154 19 56 9 390 12 5 3-56 6-4 6-68 12 18 10 95 4-6 7 18 4-148 20-53 11-2 6-119 4-80 15-18 5 109 19-148 3-29 6-33 15 13 14 1 17 19 4 35-8 46 7 70-1 45-5 23-10 87 0 100-19 78 17-34 9 3 8 10 1 43-11 40 3 26-11 36 0-6 10 14 4-22 7 16 5-5 11-80 15-63-3-53 7 67 13 144-15-47 15 20 11 63 2 57 14 63 3 72-12-17 10 103 19 126 0 21 16 43 7 78-8 87 5 93-7 159 10 274-2 93 4 51 13 172-4 30 29 56-9-13-14 21-5-28-9-11-17 121 9 6 2-11 9 5 4-5 12 31 4 44-9 3-9-15-15-46-15 5-4 237-6 86 11 89 1 71-1 33-15 114 5 10 7-96 15 23 11-11 9-51 0-23 23-52 7-2 12 104-6 91 7-77 13-123 4-24 23 45 4 10-5-6-7 36-2 183-1 81-13 108-1 71 8 95-8 24 4 7 13 48 5 11 9 17 1 29-5-18-17 7-5 51 1 30-8 50 8 41-15 140-18 44 6 7 5-1 20 42-9-14 17 9 7 46-8 37-20 96 2 5-5-19-13 5-1 87 10 65-3 54 13 205 17 58 13 42 37-32 29-12 42-35 33-4 19-11 10 66 1 20 13-21 15 13 4 5 16 12 11-17 11 23 23-43 1 2 21 23 9 7-16 20-1 0 30 37 3 4 11-5 6 8 7 22 1-4 6 37 2-6 11 41 10-13 13 16 12 35-5-3 10 30 5 1 9 13-4 30 7 39 26 174 43 15-2 15-16-17-3-2 8-15-2-40-12-39-24 12-3-5-3 6-8-34 9-9-12-16 7-55-27-32 0 6-10-28-8 19-11-27-14 15-14 54 10 18-3-22-6 5-5-6-7-21 10-16-14-18 11-28-2-4-3 11-16-4-4-32 22-25-1 5-5-21-14 16-11-46 4-10-11 5-5-12-5 10-4-34-4 4-14-9-11 7-6-9-7 40 1-31-11 23-3-8-11 54-8-4 10 12 4 49 3-42-10 22-9-6-11 44-22 9-17 22-15-3-8-10 2-8-6 44-6-25-12 2-9 32 2 18-19-50-21 37 5 11-5-2-8-61-10 77-3-1-17-27-2 0-7 37-4 8-16 18 3-5-17-48-2-46 9 18-18 28-2 14-9-20-12-25 2-7-6 40-4-40-8 57-1-34-11-43 4 19-17-14-7-52 12-1-11-36-5 29-2 5-6-52-7 51-5-5-3-151-28-146-17-45-16-80-4-222 9-52-6 52-29 43-10 126-6-20-15-39-10-68-3-260 20-49-4 186-26 21-4-1-6-21-9-121-4-115 20-59 22 28-21-27-3 25-16 80-16 38-20 18-1 3 10 17 3 196-6 9-12-26-14-155-5 74-8 89 3 34-14 32-24 103-3 117 15 45-17 60 0 150-25 161-6 10-3-127-1-46-3 74-7-100-5 15-2-4-9 10-5 40-5 220 9-111-16 41-23 35-1-19-17 9-3 95-3 186 49 91 14 281 15 105-2 11-11-24-15 37-2 105 11 112 49 133 21 79-9 62 8 32 12 200 11 15 7 74 6 298 11 9 5-328 13-12 6-6 16-134-3-126 14-36 8-1 8 38 29 47 16 24 15 73 14 28-1 156 40 234 30 298 16-23 10 66 43 88-1 55 23-82 1 14 8-29 6 4 11 42 16 64-1 16 6-15 13 54-2 86 18 27 26-3 7-56 7-10 12 21 5 55-14 39 21-15 6 4 4 51-12 30-25 46 7 6 16-14 14 6 5 91 6 18-7-25-15-2-8 175 0 30-6 48 9 26-23 54 22 68 14 275 25 14 7 42-6 31 15 128-29 61 27-15 8 22 0 38-14 99 1 29 9 16-13 71-7 16 12 28 4 10-4-9-19 19-12 83 4 32 29 33-11-4-11 35-6 52 20 18-6 0-8 19-10 87-6 175 36 131 15 18 19-21 27 4 11 41 9 37-1-19-20 39 0 38-29 61 2 27-9 33 5 55-23-1 9 42 29 8 23 18 8 110 22 27 13 172 24-4 11 12 7 40-5-12-11 18-7 36 1 9-14 13 9 0 14 29 15-25 0-13 9 39 5 66-13-2 19-14 11 5 8 77 21 90 8 81-5 94-33-18-5-34 5 17-12-34-17 18-3 73 12 56-10 26-13 61 5 110-13 51 7 231-19 62 6 2-14 19-21-22-14 5-25-37-7 14-14-5-10-45 1-46-22 34-7 54 5 11-6-3-13-15-17-42-18-30-30-27-47-20-9 41-9 33 11 0 16 22 12 57 7 86 38 25 41 49 20 3 15 25 13 31 5 31-7 54 2 24 18 85 21 33 22 4 11 24 11 213 29 59 24 62-2 113 19 86-2 119 16 100-9 38 9 35-7 78 7 31-5 27 7 30-11 25 2 76 14 25 19 65 6 339-52 58 19-2 10 16 12 110 14 30-6 32-22 49-10 16-11-18-12-65-10-3-7 5-4 135 20 100-7 83 10-73-17 11-3 117 14 35 12 89 13 43-5 52 17 40-7 11-13 33-15 72-2 13 3 25 29 19 8 166 11 37-10 6-10 53 18 60-16 39 5 47-11 185-12 35-11 52 7 9-11 22 4 14-6-32-36 57 12 43 0 42-17-1-16 15-4 68-5 124 5 17-23 14 6 76-8 31 7 4 19 6 1 81-35 98-14 23 6 92-17 17-11 5-12 41-17 19-25 39-11 4 4-13 26 33 7 33-16 53 5 158-15 31-18 99-23 14 11 21-22-32-4-9-9-4-14 15 1-3-9-89 9 70-17-14-17-25-7-33 7-61-4-35 10 19-14 43-9-92-10 12-7-38-7-11 25-15-1-3-8 11-18-10-5 31-27-83 0-17 9-40-22-9-21-76-5 65-6 2-8 29-11-19-16 14-3 5-12-7-5 4-9-16-11 32-4 26-17 8-16 37-13-26-13 32-5 40 14 12-13 70-11 0-8-121 4-100-15-49 18-8-7 23-17-54-2-20-7 8-11-33-8 18-6-23-4 34-12-99-20 103-1-6-7 15-8-28-2 23-6 0-15-13-7 118-26 43-16-126-11 6-5 87-2 86 9 119-22 24-12 50-1-47-11 22-4 147-4 44-10 385-31-17981-5
-2261-3941 80-1 33-32-1-16-14-9-25-2 13-4-1-5-313-29-219-4-10 5 1 10 47 23 55-2 98 33-2 7-18 3 12 17 13 5-7 3 65 37 141 12 83-12 41-15-8-13-71-10 7-1
-2987-4017-4-20-38-10-105 5-23 12-56-7-126 22 257-2 22 4-20 3-4 9 55 14 35-2 9-5-4-11 23-5-21-7
-3503-3459-1-7 19 0 14-13 55-67 4-45-15-17-33-19-158-7-35 12 16 8 93-4 34 7-73-2-12 7 54 11-50 4-22 9-33-14-43 4 12-9-23-8-69 18 2 9 12 4 35-4-1 9 6 3 41-9 5 3-11 8 69 1-42 11 17 2 50-3 67 10 25-9 0 12-65 11 43 15 35-2-35 12-40-2-30 7-8 8 7 24-20 15 14 9 72 8 16-9 2-11
-4905-3596-3-10 29 12 5-6-5-5 12-4 24 16 24 1 13-3-43-16 65 8 7-9-2-8-25-3 1-6-105 1-208 24 105 12 22-10 58 14 26-8
-6028-3688 14-11-35-9-1-8-64-4-33 5 9 4-6 6 13 7-36 6 16 8 123-4
-6317-3664 54-19-27-7 63 3 25-7-6-3 18-7-2-7-62 2-58 14-17 11-32-2-10 14 8 7 46 1
-7953-3990-140 5-121 23 8 12 43 14 44-2 135-32 31-15 0-5
8354-3866 114-10-42-8-56 2-33-11-26 17 20 7-10 6 4 4 24 0 5-7
-1556-3990 17 8 58-13-40-6-79 14 16 5 28-8
-1697-3966-133 2 53 10 80-12
-3517-3984-59 3-13 9 16 16 42 11 157 27 38-1-127-41-21-12-3-9-30-3
-2892-3203 18 5 13-13-10-4 6-3-20 3-10-6-20 5 14 4-6 7-15-1 26 16 7-3-3-10
-2776-3159 22-7-71-2 23 10 26-1
-2899-3096 17-5-46-11-22 2 16 10 35 4
-3159-3223-5-6 22 0-45-13-27 7 40 22 13-3 2-7
-3116-3221-23-3 14 11-6 7 8 5 20-6-13-14
-3399-3374-42-14-16 12 40 36 31 8-13-17 15-8-28-12 13-5
-3685-3532 7-4-47-13-84-8-16 7 69 12 8 8 18-10 10 11 35-3
-3749-3486 27-11-21-12-47 7 6 8 35 8
-3718-3655-15-9 15-9-11-8-66 14-10 9 41 5-23 9 18 3 52-5 6-4-7-5
-4558-3659-18-1 8 15-15 14 43 0-5-10 6-9-19-9
8382-3907-68-8-13 10 42-5 32 10 7-7
5049-3284-35 4 16 10 33-6-14-8
1343-3519-25-3-20 9 32 9 13-15
-295-3528-13-3-14 8 23 2 4-7
-164-3527-11 3 16 9 25-4-3-6-27-2
-3309-4004-81 27 89-4 22-8 4-9-34-6
-3363-3973-65 1 26 11 49-2-10-10
-2758-3061-14 6 38-1-24-5
-2794-3177-18 4 26-2-8-2
-2862-3228-10 5 27 6-17-11
-2803-3154-15-4-13 6 28-2
-2869-3190 14-2-29 1 15 1
-3100-3486-28 27 37-10-9-17
-3031-3128 39-3-19-6-8 6-38-1 17 8 9-4
-3599-3485-49 9 25 3 24-12
-4751-3633-13 1 36 9 7-8-30-2
-5227-3658-17-2-13 10 8 3 22-11
-5977-3706-18 2 12 5-7 8 46-3-33-12
-6368-3731-28 4-11 11 50-8-11-7
-8100-4156-52 1-38 13 108-9-18-5
-8023-4079-175 9 75 4 100-13
8199-3742-12 6 24 6-12-12
8148-3778-18-5 18 5
8492-3680-18 3 15 11 9-10-6-4
8242-3377-10 2 2 12 11-8-3-6
8131-3324-16 4 0 7 16-11
4831-3302 20-6-36-1 16 7
5170-3272-11-1-21 15 19-1 13-13
4630-3290-18 3 18-3
4291-3348-25 9 24 0 7-6-6-3
4327-3338-15 1 21 1-6-2
3423-3615 10 10 9-3-19-7
3600-3532-17 7-1 8 8 4 14-13-4-6
2427-3339-12 1 24 1-12-2
811-3500-33 7 18 7 35-2-20-12
152-3530-23 3 33 7-10-10
-148-3561-18 1-4 7 22-8
65-3513-7-6-11 14 24 3-6-11
-127-3538 22-3-34-17-1 9-10 6-29 8 52-3
226-3524-17 1-6 8 22 2 6-5-5-6
-1030-3694-2-14 11-8-3-9-17 2-17 16-44 2 46 8 21 16 9-5-4-8
-805-3634-18 1-3 6 11 3 10-10
-625-3609-23 6 9 3 14-9
-1617-3984-12 1 10 6 22-1-20-6
-3037-3536-10 9 24 0-14-9
-3028-3553-19 5 16 2 3-7
-3033-3193-16 1 13 9 8-2-5-8
-3166-3243-12-2 19 8-7-6
-3292-3292-17 1 11 12 16 2-10-15
-3367-3388-20 5 30 1-10-6
-3585-3513 18-3-17-6-6 8 5 1
-3694-3668-13 2 15 10 15 0-17-12
-5837-3708-33 2 62 11-29-13
-6619-3722-24-1 24 1
-6553-3729-55 8 20 5 39-5-4-8
-7379-3832-21 3 21-3
-7262-3786-46 7 20 3 26-10
-7330-3848-24-2-2 7 48-4-22-1
-7430-3850-35 4 43-3-8-1
-7467-3836 51-3-57 1 6 2
-7461-3867 15-2-37 4 22-2
-7512-3839-32 2 40 0-8-2
-7334-3812-37 8 37-8
-7339-3832-29 1 11 4 18-5
-7520-3868-56 4 25 3 31-7
-7697-4002-91 11 91-11
-7462-3856-77 7 45 5 32-12
-7899-4105-51 16 58-13-7-3

0 1 2 3
-3 4 5 6 7 8 9
10 11 12
13
14
15 16 17 18
19
20 21 22 23
24
25
26
27
28
29
30
31
32
33 34 35 36 37
38 39 40
41
42
43
44
45
46
47
48
49 50 51 52
53
54
55
56
57
58
59
60
61
62
63
64
65
66
67
68
69
70
71
72
73
74
75
76
77
78
79
80
81
82
83
84
85
86
87
88
89
90 91 92 93 94
95
96
97
98
99
100
101
102
103
104
105
106
107
108
109
110
111
112
113
114
115
116
117
118
119
120 121
122
123 124 125 126 127
128 129 130 131 132 133 134 135 136 137 138
139
140 141 142 143 144
-37 145 146 147 148
149 150 151 152 153 154 155
156 157 158
159 160 161
162
163 164 165 166
167 168
169 170
171
172 173 174 175 176 177
178
179
-8 180 181 182-141 183 184 185 186
187
-35 188 189 190
191
-155 192 193 194 195 196
197 198 199 200 201 202
203
204
205 206 207
208 209
210 211 212 213
-144 214 215 216 217 218
-217 219 220 221 222 223 224 225
226
227
228
229
230 231 232 233 234 235
236
237
238
239
240
241 242
243
-1 244-210 245 246 247 248
249
250 251 252 253
-253 254 255 256
257
258
259
260
261
262
263
264
265
266
-136 267 268 269 270
271 272 273 274 275
276 277 278
279
280 281 282 283 284 285 286 287
288 289 290 291 292 293 294
295
296
-12 297 298 299 300 301 302 303-126 304
305
306
307
308
-142-183 309 310
311
312
313
314
315
316
317
318
319 320 321 322 323 324 325 326 327-139 328 329 330 331 332 333 334
335
336
337
338
339
340
341
342
343
344
345
346
347
348
349
350
351
352
353
354
355
356
357
358
359
360
361
362
363
364
365
366
367
368
369
370
371
372
373
374
375
376
377
378
379
380
381
382
383
384
385
386
387
388
389
390
391
392
393
394
395
396
397
398
399
400
401
402 403 404 405 406
-130 407
-132 408 409-288 410-134 411
-303 412
413
-235 414
415
416
417
-137-271 418 419 420 421 422-405 423 424
425
426
427
428
429
430
431
432
433
434
435
436
437
438
439
440
441
442
443
444
445
446 447 448 449 450 451
452 453 454
455
456
457 458
459
460
461
462
463
464
465
466
467
468
469
470
471 472 473 474
475 476 477 478 479 480
481
-13-305-125 482
-128 483
-206 484-334 485
486
487
488
489
490
491
492
493
494
495
496
497
498
499
500
501
502
503
504
505
506
507
508
-242 509 510-320 511
512 513 514 515 516
-517 517 518 519 520 521 522
523 524 525 526
527
528
529
530
531
532 533 534
535 536
537
538 539
-5 540-248 541 542
-4-10 543-186 544-246-209-245
545 546 547
548 549 550-547
-284 551 552 553 554 555
-322 556
-133-412
-93 558 559 560 561
562
563
564
565
566
-295 567-550 568 569
-289-570 570-520 571 572 573
-176 574
575 576 577 578 579
-9-187-544
580
581
-282 582 583 584 585
586 587 588
-407 589
-404 590 591 592-424
-160 594 595-222 596-522 597
-277 598 599 600
-250
-196 601 602
-592 603 604-330 605
-18 606-173 607 608
-34 609 610-189
611
-301 612 613
-283-586 614-552
615
-145-219 616-251 617-184
-38-149 618-324 619-610
-194 620-299 621 622 623 624
625
626
627
628
629
630
631
632
633
634
635
636
-201 637-274 638 639
640
641
-195-625 642-623 643 644 645 646-602
-646 647 648
-624-643
-121 649
-154 650 651-613-300-621-193
652
-147 653-479 654-651-153 655 656 657 658
659
660
661
662
663
664
665
666
667
668
669
670
671
672
673
674
675
676
677
678
679
680
681
682
683
684
685
-576 686
687
688
689
-168 690-171 691
692
693
694
-458 695
696
697
698
699
700
701
702
703
704
705
706
707
708
709
710
711
712
713
714
715
716
717
718
719
720
721
722
723
724
-477 725 726-539 727 728 729 730 731 732
733
734
735
736
-135-411-287 737-276 738-268
-527 739 740 741 742
743 744
745
-21 746-213 747
-291 748 749
-279 750-749-290-574 751-599
-561 752 753-742 754 755
756
757
758
759
760
761
762
763
764
765
766
767
768
-158 769 770-584 771
-166 772 773 774 775 776
-203 777-587 778-535 779 780 781-420 782 783
784
-422 785
786
-150 787-327 788 789
-293 790
791 792 793 794
795
-202-640 796-558 797-233 798-231 799 800-588-778
801
802
803
804
-211 805 806
807
808
809
810
811
812
-207-486-333 813
814
815
816
817
818
-218-226 819 820-255-252-617
-605 821-331
822
823
-225 824 825-820
826
827
-794 828 829
-741 830-755
-223-596 831-648-645 832
-451 833 834
835
836
837
838
-744 839
840
-256-821-826 841
842
843
844
845
846
847
848
849
850
851
852
853
854
855
856
857
858
859
-781 860
861
862
863
864
865
-270 866-783-419
867 868
-868 869
870
871
872
-272-738-286 873 874
875
876
877
878
879
880
881
882
-555 883 884
-573 885-776 886-600-752
-474 887-525 888
-7 889 890 891 892 893-215-143-311 894-181
-792 895 896-893 897 898
899
900
-23 901-452-835 902-472 903
904
905
-19-609 906-730 907-728-540-727 908-481 909-190-611-620-323-557-321-511 910 911 912 913 914
915
-912 916
-449 917 918 919
920 921
922
923
924
925
926
927
928
929
930
931
932
933
934
935
936
937
938
939
940
-221 941 942-513-523-597
-216-894-897 943-942-220
944
945
946
947
948
949
-53 950-95 951
952
953
954
955
956
957
958
959
960
961
962
963
964
965
966
967
968
969
970
-91 971
972
973
974
975
976
977
978
979
980
981
982
983
984
985
986
987
988
989
990
991
992
993
-51 994
995
996
997
998
999
1000
1001
1002
1003
1004
1005
1006
1007
1008
1009
1010
1011
1012
1013
1014
1015
1016
1017
1018
1019
1020
1021
1022
1023
1024
1025
1026
1027
1028
1029
1030
1031
1032
1033
1034
1035
1036
1037
1038
1039
1040
1041
1042
1043
1044
1045
1046
1047
1048
1049
1050
-514-943-944-896-795-830 1051
-17 1052-174-607
-178 1053 1054-731-907-608
1055
1056
-182-895-310
-167-777-886-572-519 1057
-159-772-583-281-410 1058
-579 1059
-578 1060
-22-748-212-807 1061-41 1062-453 1063-447-902
1064
1065
1066
1067
1068
1069
1070
-2-249-541
-556-885 1071-874-285
-448-1064-455 1072-918
-729-908
-164-1058-518-516 1073
-560 1074-753
-533-779-589-801 1075-536
-138-425-593-606-329
-732-1055 1076
1077
1078
1079
1080
1081
1082
1083
1084
1085
1086
1087
1088
1089
1090
-152 1091-656
-658 1092-789-326 1093
-198-784-867-269-739-275-638-200-594
1094
1095
1096
1097
1098
1099
1100
1101
1102
1103
1104
1105
1106
1107
1108
-151-790-1093-657-1092
-40 1109-919-1073-454-1063
-921 1110
1111
-892 1112-898
-6-543 1113-890
-161-598-521-571-569-549-546 1114
-553-615-585-771 1115
-36-191-910-480-654-146
-476-909-726
1116
1117
1118
1119
1120
1121
1122
1123
1124
1125
1126
1127
1128
1129
1130
1131
1132
1133
1134
1135
1136
1137
1138
1139
1140
1141
1142
1143
1144
1145
1146
1147
1148
1149
1150
1151
1152
1153
1154
1155
1156
1157
1158
1159
1160
1161
1162
1163
1164
1165
1166
1167
1168
1169
1170
1171
1172
1173
1174
1175
1176
1177
1178
1179
1180
1181
1182
1183
1184
1185
1186
1187
1188
1189
1190
1191
1192
1193
1194
1195
1196
1197
1198
1199
1200
1201
1202
1203
1204
1205
1206
1207`;var Ua=50,ja=85;function es(e){return(e+180)/360}function ts(e){let t=Math.max(-ja,Math.min(ja,e));return .5-Math.log(Math.tan(Math.PI/4+t*Math.PI/360))/(2*Math.PI)}function Ba(e,t,n){let[o,r,i,l]=[1,1,0,0];for(let{x:d,y:u}of e)[o,i]=[Math.min(o,d),Math.max(i,d)],[r,l]=[Math.min(r,u),Math.max(l,u)];if(o>i)return null;let a=.85*Math.min(t/Math.max(i-o,.005),n/Math.max(l-r,.005));return{x:(o+i)/2,y:(r+l)/2,scale:a}}var b2=null;function ns(){if(b2)return b2;let[e="",t=""]=za.split(`

`),n=e.split(`
`).map(Jc),o=i=>{let l=new Path2D;for(let a of i)for(let[d,{x:u,y:f}]of a.entries())d?l.lineTo(u,f):l.moveTo(u,f);return l},r=i=>Ka(i).flatMap(l=>l<0?[...n[-1-l]??[]].reverse():n[l]??[]);return b2={land:o(t.split(`
`).map(r)),lines:o(n)},b2}function Jc(e){let t=Ka(e),[n,o]=[0,0];return Array.from({length:t.length/2},(r,i)=>(n+=(t[2*i]??0)/Ua,o+=(t[2*i+1]??0)/Ua,{x:es(n),y:ts(o)}))}function Ka(e){return(e.match(/-?\d+/g)??[]).map(Number)}var Zc=40,Xc=300,e5=4e6,t5=60,n5=1e4,y2=class{constructor(t){this.canvas=t}canvas;things=new Map;part={x:.5,y:.4,scale:900};isChosen=!1;isDue=!1;selected=null;get count(){return this.things.size}put(t,{latitude:n,longitude:o,direction:r,label:i}){let[l,a]=[es(o),ts(n)],d=this.things.get(t);d?((d.x!==l||d.y!==a)&&(d.trail.push({x:d.x,y:d.y}),d.trail.length>Zc&&d.trail.shift()),Object.assign(d,{x:l,y:a,direction:r,label:i,toldMs:performance.now()})):this.things.set(t,{x:l,y:a,direction:r,label:i,toldMs:performance.now(),trail:[]}),this.changed()}remove(t){this.things.delete(t)&&this.changed()}retain(t){for(let n of this.things.keys())t.has(n)||this.things.delete(n);this.changed()}select(t){this.selected=t,this.changed()}fit(){this.isChosen=!1,this.changed()}move(t,n){this.isChosen=!0,this.part={...this.part,x:this.part.x-t/this.part.scale,y:this.part.y-n/this.part.scale},this.changed()}zoom(t,n=this.canvas.clientWidth/2,o=this.canvas.clientHeight/2){this.isChosen=!0;let{x:r,y:i,scale:l}=this.part,a=Math.max(Xc,Math.min(e5,l*t)),[d,u]=[n-this.canvas.clientWidth/2,o-this.canvas.clientHeight/2];this.part={x:r+d/l-d/a,y:i+u/l-u/a,scale:a},this.changed()}at(t,n){let o=null,r=14;for(let[i,l]of this.things){let a=Math.hypot(this.across(l.x)-t,this.down(l.y)-n);a<r&&([o,r]=[i,a])}return o}changed(){this.isDue||(this.isDue=!0,requestAnimationFrame(()=>{this.isDue=!1,this.draw()}))}across(t){return(t-this.part.x)*this.part.scale+this.canvas.clientWidth/2}down(t){return(t-this.part.y)*this.part.scale+this.canvas.clientHeight/2}draw(){let{canvas:t}=this,n=t.getContext("2d"),[o,r,i]=[t.clientWidth,t.clientHeight,devicePixelRatio];if(!n||!o)return;(t.width!==Math.round(o*i)||t.height!==Math.round(r*i))&&([t.width,t.height]=[Math.round(o*i),Math.round(r*i)]),this.isChosen||(this.part=Ba(this.things.values(),o,r)??this.part);let l=getComputedStyle(t),a=d=>l.getPropertyValue(`--${d}`).trim();n.setTransform(i,0,0,i,0,0),n.fillStyle=a("map-sea"),n.fillRect(0,0,o,r),this.drawWorld(n,i,a("map-land"),a("map-line")),this.drawThings(n,a("colour-1"),a("colour-2"),a("ink"))}drawWorld(t,n,o,r){let{x:i,y:l,scale:a}=this.part,[d,u]=[this.canvas.clientWidth,this.canvas.clientHeight];t.save(),t.setTransform(a*n,0,0,a*n,(d/2-i*a)*n,(u/2-l*a)*n),t.lineWidth=1/a,t.fillStyle=o,t.fill(ns().land),t.strokeStyle=r,t.stroke(ns().lines),t.restore()}drawThings(t,n,o,r){let[i,l]=[this.canvas.clientWidth,this.canvas.clientHeight],a=[];for(let[d,u]of this.things){let[f,g]=[this.across(u.x),this.down(u.y)];f>-20&&g>-20&&f<i+20&&g<l+20&&a.push([d,u,f,g])}for(let[d,u,f,g]of a){t.strokeStyle=t.fillStyle=d===this.selected?o:n,t.lineWidth=1.5,t.globalAlpha=.4,t.beginPath();for(let b of u.trail)t.lineTo(this.across(b.x),this.down(b.y));t.lineTo(f,g),t.stroke(),t.globalAlpha=d===this.selected||performance.now()-u.toldMs<n5?1:.35,o5(t,f,g,u.direction)}t.globalAlpha=1,t.font="11px system-ui, sans-serif",t.fillStyle=r;for(let[d,u,f,g]of a)(a.length<=t5||d===this.selected)&&t.fillText(u.label,f+9,g+4)}};function o5(e,t,n,o){if(e.beginPath(),o===void 0)e.arc(t,n,3.5,0,2*Math.PI);else{let r=o*Math.PI/180,[i,l]=[Math.sin(r),Math.cos(r)];for(let[a,d]of[[0,-8],[5,6],[0,3],[-5,6]])e.lineTo(t+a*l-d*i,n+a*i+d*l);e.closePath()}e.fill()}var w2=60,xo=1.4;function r5({parameters:e,query:t}){let n=e.queue??"",o=Ye(null),r=Ye(null),i=me(()=>({newest:new Map,selected:fe(null),count:fe(0)}),[]),l=Ye(t);l.current=t;let a=me(()=>{let w=(T,x)=>{let S=ne=>D1(ne,x,l.current.get(ne)),P=$1(x,S("latitude")),z=$1(x,S("longitude"));if(P===void 0||z===void 0)return;let L=U(x[S("label")])||T;r.current?.put(T,{latitude:P,longitude:z,direction:$1(x,S("direction")),label:L})};return{put:w,take:T=>{let[x,S]=[String(T.key),St(T)];i.newest.set(x,S),w(x,S)},remove:T=>{i.newest.delete(T),r.current?.remove(T)},retain:T=>{for(let x of i.newest.keys())T.has(x)||i.newest.delete(x);r.current?.retain(T)}}},[]);re(()=>{let w=o.current;if(!w)return;let T=r.current=new y2(w),x=new ResizeObserver(()=>T.changed());x.observe(w);let S=l5(w,T,z=>i.selected.value=z),P=setInterval(()=>i.count.value=T.count,500);return()=>{x.disconnect(),S(),clearInterval(P)}},[]),re(()=>{for(let[w,T]of i.newest)a.put(w,T)},[t.toString()]),re(()=>r.current?.changed(),[ft.value]);let{problem:d,isLive:u,rate:f,sample:g}=zn(n,a),b=i.selected.value;re(()=>r.current?.select(b),[b]);let m=g.value?St(g.value):{},_=Object.keys(m).filter(w=>$1(m,w)!==void 0),M=D1("label",m,t.get("label"));return s(q,{children:[d.value&&s(se,{problem:d.value}),s("div",{class:"page-head",hidden:d.value!==null,children:[s("h1",{children:n}),s(_o,{queue:n,fields:m,current:"map"}),s("div",{class:"actions",children:s(g2,{isLive:u.value,rate:f.value})})]}),s("div",{class:"tools",hidden:d.value!==null,children:[["latitude","longitude","direction"].map(w=>s(ln,{label:w,name:w,value:D1(w,m,t.get(w)),choices:_},w)),s(ln,{label:"label",name:"label",value:M,choices:Object.keys(m)}),s("span",{class:"muted",children:[D(i.count.value)," on the map"]})]}),s("div",{class:"map",hidden:d.value!==null,children:[s("canvas",{ref:o,tabIndex:0,role:"application","aria-label":`Map of ${n}. Arrow keys move it, plus and minus zoom, 0 shows everything.`,onKeyDown:w=>i5(w,r.current)}),s("div",{class:"map-buttons",children:[s("button",{type:"button","aria-label":"Zoom in",onClick:()=>r.current?.zoom(xo),children:"+"}),s("button",{type:"button","aria-label":"Zoom out",onClick:()=>r.current?.zoom(1/xo),children:"−"}),s("button",{type:"button",onClick:()=>r.current?.fit(),children:"All"})]}),b!==null&&s(s5,{name:b,fields:i.newest.get(b)??{},onClose:()=>i.selected.value=null})]}),s("p",{class:"muted small",children:"Outlines: Natural Earth, public domain."})]})}function s5({name:e,fields:t,onClose:n}){return s("aside",{class:"map-details","aria-label":`Fields of ${e}`,children:[s("header",{children:[s("strong",{children:e}),s("button",{type:"button",class:"plain","aria-label":"Close",onClick:n,children:"×"})]}),s("dl",{children:Object.entries(t).map(([o,r])=>s("div",{children:[s("dt",{children:o}),s("dd",{children:U(r)})]},o))})]})}function i5(e,t){let o={ArrowLeft:()=>t?.move(w2,0),ArrowRight:()=>t?.move(-w2,0),ArrowUp:()=>t?.move(0,w2),ArrowDown:()=>t?.move(0,-w2),"+":()=>t?.zoom(xo),"=":()=>t?.zoom(xo),"-":()=>t?.zoom(1/xo),0:()=>t?.fit()}[e.key];!o||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),o())}function l5(e,t,n){let o=new AbortController,r={signal:o.signal},i=0;return e.addEventListener("pointerdown",l=>(i=0,e.setPointerCapture(l.pointerId)),r),e.addEventListener("pointermove",l=>{e.hasPointerCapture(l.pointerId)&&(i+=Math.abs(l.movementX)+Math.abs(l.movementY),i>3&&t.move(l.movementX,l.movementY))},r),e.addEventListener("click",l=>i<=3&&n(t.at(l.offsetX,l.offsetY)),r),e.addEventListener("wheel",l=>{l.preventDefault(),t.zoom(Math.exp(-l.deltaY/400),l.offsetX,l.offsetY)},{...r,passive:!1}),()=>o.abort()}var Qa={path:"queues/:queue/map",title:"Map",inNavigation:!1,view:r5};function _2(e){return e.published?(e.statistics.conflated??0)/e.published:0}function x2(e){return typeof e=="number"?{type:"integer"}:typeof e=="boolean"?{type:"boolean"}:{}}var Ga=50,a5=1e4,u5=["lvq","standard","priority","sorted"],os=new et,Za=new et,Ya,c5=[{name:"name",title:"Queue",isSortable:!0,cell:e=>e.name},{name:"type",title:"Type",isSortable:!0,cell:e=>s(ss,{queue:e})},{name:"state",title:"State",cell:rs},{name:"keys",title:"Keys",isNumeric:!0,isSortable:!0,cell:e=>e.type==="lvq"?D(e.statistics.keys):""},{name:"depth",title:"Messages",isNumeric:!0,isSortable:!0,cell:e=>D(e.depth)},{name:"unsettled",title:"Unacked",isNumeric:!0,isSortable:!0,help:"Messages that a consumer has and has not settled",cell:e=>D(e.statistics.unsettled)},{name:"consumers",title:"Readers",isNumeric:!0,isSortable:!0,help:"Consumers, and browsers; sorted by consumers",cell:e=>f5(e.statistics.consumers??0,e.statistics.browsers??0)},{name:"published",title:"In",isNumeric:!0,isSortable:!0,help:"Now; sorted by how many came since the start",cell:e=>u1(os.of(e.name).rate())},{name:"out",title:"Out",isNumeric:!0,help:"To consumers; browsers are not counted",cell:e=>u1(Za.of(e.name).rate())},{name:"conflation_ratio",title:"Conflated",isNumeric:!0,isSortable:!0,help:"The part of what came that a newer value replaced",cell:e=>e.type==="lvq"&&e.published?`${(100*_2(e)).toFixed(1)} %`:""},{name:"last_in_ms",title:"Newest",isNumeric:!0,isSortable:!0,help:"How long ago a message came last",cell:g5},{name:"trend",title:"Trend",help:"What came, over the last minutes",cell:e=>s(f2,{values:os.of(e.name).rates(),label:`What came to ${e.name}`})}];function d5({query:e}){let t=e.get("sort")??"name",n=e.get("contains")??"",o=H(["queues"],{sort:t==="name"?"":t,contains:n,limit:Ga}),r=$([]),i=$(o),l=$(!1);re(()=>{i.value=o,r.value=[]},[o]);let{data:a,problem:d,refresh:u}=X(i.value),f=a.value;if(f&&f!==Ya){Ya=f;let m=Date.now();for(let _ of f.queues)os.of(_.name).add(m,_.published),Za.of(_.name).add(m,_.statistics.acquired??0)}let g=f?.next,b=r.value.at(-1);return s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Queues"}),s("div",{class:"actions",children:[s(p5,{value:n,onSearch:m=>w1(["queues"],{sort:t==="name"?"":t,contains:m})}),s("button",{type:"button",class:"primary",disabled:_t()!=="",title:_t(),onClick:()=>l.value=!0,children:"Add a queue"})]})]}),!f&&(d.value?s(se,{problem:d.value}):s(Pe,{})),f&&s(q,{children:[s(ue,{caption:"Queues",columns:c5,rows:f.queues,rowKey:m=>m.name,rowLink:m=>we(["queues",m.name]),sort:t,onSort:m=>w1(["queues"],{sort:m,contains:n}),empty:n?`No queue that you may see has “${n}” in its name.`:"There are no queues that you may see."}),s(p2,{offset:r.value.length*Ga,rows:f.queues.length,onPrevious:b===void 0?void 0:()=>{r.value=r.value.slice(0,-1),i.value=b},onNext:g===void 0?void 0:()=>{r.value=[...r.value,i.value],i.value=g}})]}),l.value&&s(h5,{onClose:()=>l.value=!1,onAdded:u})]})}function f5(e,t){return t?`${D(e)} + ${D(t)}`:D(e)}function rs(e){return e.statistics.flow_stopped?s(pt,{tone:"bad",text:"full",title:"Its producers wait"}):e.options.paused===!0?s(pt,{tone:"warn",text:"paused",title:"It delivers nothing"}):Date.now()-(e.statistics.last_in_ms??0)<a5?s(pt,{tone:"good",text:"busy",title:"Messages come"}):s(pt,{tone:"idle",text:"idle",title:"No message came for ten seconds"})}function ss({queue:e}){return s(q,{children:[s("span",{class:"tag",children:e.type})," ",e.options.paused===!0&&s("span",{class:"tag warn",children:"paused"}),e.stored&&s("span",{class:"tag",children:"durable"})]})}function p5({value:e,onSearch:t}){return s("form",{role:"search",class:"tools",onSubmit:n=>n.preventDefault(),children:s("input",{type:"search","aria-label":"Queues with this text in their name",placeholder:"Search by name",defaultValue:e,onInput:m5(n=>t(n.target.value.trim()))})})}var Ja=0;function m5(e){return t=>{clearTimeout(Ja),Ja=window.setTimeout(e,250,t)}}function h5({onClose:e,onAdded:t}){return s(be,{title:"Add a queue",action:"Add",onClose:e,fields:[{name:"name",label:"Name",isRequired:!0},{name:"type",label:"Type",kind:"choice",choices:u5,value:"lvq"},{name:"lvq_key",label:"Last-value key",help:"The property whose value is the key; for type lvq"},{name:"sort_key",label:"Sort key",help:"The property to sort by; for type sorted"},{name:"durable",label:"Durable",kind:"checkbox",help:"A restart keeps it, if the broker has a store"},{name:"more",label:"Further options",kind:"json",help:'As a JSON object, such as {"max_messages": 1000}; the page of the queue shows all options'}],onSubmit:async({name:n,more:o,...r})=>{await Z(H(["queues",U(n)]),{method:"PUT",body:{...r,...o},headers:{}}),he(`Queue ${U(n)} is there.`),t()}})}function g5(e){let t=e.statistics.last_in_ms??0;return t?Oe(Date.now()-t):""}var Xa={path:"queues",title:"Queues",inNavigation:!0,view:d5};var v5=50,t3=5,is=new et,e3;function n3(){let{data:e}=X(H(["queues"],{sort:"-published",limit:v5}),3e3),t=e.value?.queues??[];if(e.value&&e.value!==e3){e3=e.value;for(let i of t)is.of(i.name).add(Date.now(),i.published)}let n=i=>is.of(i.name).rate()??0,o=[...t].sort((i,l)=>n(l)-n(i)||l.published-i.published).slice(0,t3),r=o.find(i=>Number(i.options.top_talkers??0)>0);return o.length===0?null:s("div",{class:"cards",children:[s("div",{children:[s("h2",{children:"Busiest queues"}),s(ue,{caption:"Busiest queues",columns:[{name:"name",title:"Queue",cell:i=>i.name},{name:"state",title:"State",cell:rs},{name:"rate",title:"In",isNumeric:!0,cell:i=>u1(is.of(i.name).rate())},{name:"published",title:"Came",isNumeric:!0,cell:i=>D(i.published)}],rows:o,rowKey:i=>i.name,rowLink:i=>we(["queues",i.name])})]}),r&&s(b5,{queue:r.name})]})}function b5({queue:e}){let{data:t}=X(H(["queues",e,"top-talkers"],{limit:t3}),5e3);return t.value?s("div",{children:[s("h2",{children:["Busiest keys of ",e]}),s(ue,{caption:`Busiest keys of ${e}`,columns:[{name:"key",title:"Key",cell:n=>U(n.key)},{name:"messages",title:"Updates",isNumeric:!0,cell:n=>D(n.messages)}],rows:t.value.keys,rowKey:n=>U(n.key)})]}):null}var qt=new et(400,2200),k2=3600,Nt=fe(void 0),s3=["published","acquired","conflated"],o3,r3;function w5(){let e=X("/broker"),t=X("/queue-totals"),n=e.data.value,o=t.data.value;return _5(),Nt.value!==void 0&&M5(n,o),!n&&!o?t.problem.value?s(se,{problem:t.problem.value}):s(Pe,{}):s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Overview"}),n&&s("span",{class:"muted",children:["lastvalue ",n.version,n.compiled?"":", plain Python",", up ",Oe(n.now_ms-n.started_ms)]})]}),s("dl",{class:"figures",children:[o&&s(q,{children:[s(an,{title:"Queues",value:D(o.queues)}),s(an,{title:"Messages",value:D(o.depth)}),s(an,{title:"Keys",value:D(o.keys)}),s(an,{title:"Conflated",value:o.published?`${(100*o.conflated/o.published).toFixed(1)} %`:"–"})]}),n&&s(q,{children:[s(an,{title:"Connections",value:D(n.connections)}),s(an,{title:"Producers",value:D(n.producers)}),s(an,{title:"Event loop lag",value:Oe(n.event_loop_lag_ms)})]})]}),s("div",{class:"cards",children:[o&&s(x5,{}),n&&s(k5,{broker:n}),n?.store_free_bytes!==void 0&&s(S5,{broker:n}),n&&s(P5,{})]}),Nt.value!==void 0&&s("p",{class:"muted small",children:Nt.value===null?"The plots begin when this page is opened.":`The gateway keeps the last hour; it has figures since ${Be(Nt.value).slice(0,19)}.`}),s(n3,{}),e.problem.value?.status===403&&s("p",{class:"muted",children:"Memory, disk and alarms are shown to users with the right administer on $broker."})]})}function _5(){re(()=>{if(Nt.value!==void 0)return;if(!wt("show-broker")){Nt.value=null;return}let e=({since_ms:t,now_ms:n,times_ms:o,figures:r})=>{let i=o.map(l=>l+Date.now()-n);for(let[l,a]of Object.entries(r)){let d=qt.of(l),u=s3.includes(l);a.forEach((f,g)=>u?d.add(i[g]??0,f):d.addLevel(i[g]??0,f))}Nt.value=t};Z("/recent-figures").then(e,()=>Nt.value=null)},[])}function an({title:e,value:t}){return s("div",{class:"figure",children:[s("dt",{children:e}),s("dd",{children:t})]})}function x5(){let e=[{name:"published",title:"published",colour:1},{name:"acquired",title:"to consumers",colour:2},{name:"conflated",title:"conflated",colour:3}];return s("div",{class:"card",children:s(U1,{label:"Messages a second",timesMs:qt.of("published").timesMs.slice(1),lines:e.map(({name:t,...n})=>({...n,values:qt.of(t).rates()})),written:u1,windowS:k2})})}function k5({broker:e}){let{memory_limit_bytes:t,held_bytes:n}=e,{timesMs:o,values:r}=qt.of("held_bytes");return s("div",{class:"card",children:[s(U1,{label:"Memory",timesMs:o,lines:[{title:"held",colour:1,values:r}],written:Xe,areBytes:!0,windowS:k2}),t>0&&s(T5,{label:"of the limit",part:n,whole:t})]})}function S5({broker:e}){let{timesMs:t,values:n}=qt.of("store_bytes");return s("div",{class:"card",children:[s(U1,{label:"Store",timesMs:t,lines:[{title:"segments",colour:2,values:n}],written:Xe,areBytes:!0,windowS:k2}),s("p",{class:"muted",children:[Xe(e.store_free_bytes)," free, ",Xe(e.store_waiting_bytes)," to be written"]})]})}function P5(){let{timesMs:e,values:t}=qt.of("event_loop_lag_ms");return s("div",{class:"card",children:s(U1,{label:"Event loop lag",timesMs:e,lines:[{title:"lag",colour:4,values:t}],written:Oe,windowS:k2})})}function T5({label:e,part:t,whole:n}){return s("p",{class:"share",children:[s("meter",{min:0,max:n,high:.8*n,optimum:0,value:t,"aria-label":`Memory ${e}`}),s("span",{class:"muted",children:[(100*t/n).toFixed(1)," % ",e,", ",Xe(n)]})]})}function M5(e,t){let n=Date.now();if(e&&e!==o3){for(let o of["held_bytes","event_loop_lag_ms","store_bytes"])qt.of(o).addLevel(n,e[o]??0);o3=e}if(t&&t!==r3){for(let o of s3)qt.of(o).add(n,t[o]);r3=t}}var i3={path:"overview",title:"Overview",inNavigation:!0,view:w5};var Un=164,jn=44,ls=44,as=14,us=21;function u3({parts:e,readers:t}){let{nodes:n,edges:o}=C5(e,t),i=[0,1,2,3,4].map(u=>n.filter(f=>f.column===u)).filter(u=>u.length),l=new Map,a=Math.max(...i.map(u=>u.length),1)*(jn+as);for(let[u,f]of i.entries()){let g=(a-f.length*(jn+as))/2;for(let[b,m]of f.entries())l.set(m.id,{x:u*(Un+ls),y:g+b*(jn+as)})}let d=i.length*(Un+ls)-ls;return s("div",{class:"graph",tabIndex:0,role:"group","aria-label":"Graph of the pipeline",children:s("svg",{viewBox:`-1 -1 ${Math.max(d,Un)+2} ${a}`,width:Math.max(d,Un)+2,height:a,children:[o.map(([u,f])=>{let[g,b]=[l.get(u),l.get(f)];if(!g||!b)return null;let[m,_,M,w]=[g.x+Un,g.y+jn/2,b.x,b.y+jn/2],T=Math.max(24,Math.abs(M-m)/2);return s("path",{class:"edge",d:`M${m} ${_}C${m+T} ${_} ${M-T} ${w} ${M} ${w}`},`${u} ${f}`)}),n.map(u=>{let{x:f,y:g}=l.get(u.id)??{x:0,y:0},b=s("g",{class:`node ${u.tone??""}`,transform:`translate(${f} ${g})`,children:[s("title",{children:u.title}),s("rect",{width:Un,height:jn,rx:"6"}),s("text",{x:"10",y:"18",class:"node-title",children:a3(u.title)}),s("text",{x:"10",y:"34",class:"node-text",children:a3(u.text)})]});return u.href?s("a",{href:u.href,children:b},u.id):s("g",{children:b},u.id)})]})})}function C5(e,t){let n=new Map,o=[],r=l=>(n.has(l.id)||n.set(l.id,l),l.id),i=(l,a,d="queue")=>r({id:`queue ${l}`,title:l,text:d,column:a,href:we(["queues",l])});for(let l of e.filter(a=>a.kind==="feed")){let a=r({id:`part ${l.name}`,title:l.name,text:`feed · ${l.state??"not running"}`,column:1,tone:l3(l.state)});for(let d of l.from??[])o.push([r({id:`source ${d}`,title:d,text:"source",column:0}),a]);for(let d of l.to??[])o.push([a,i(d,2)]);l.dead_letter_queue&&o.push([a,i(l.dead_letter_queue,2,"rejected rows")])}for(let l of e.filter(a=>a.kind!=="feed")){let a=r({id:`part ${l.name}`,title:l.name,text:`${l.kind} · ${l.state??"not running"}`,column:3,tone:l3(l.state)});for(let d of l.from??[])o.push([i(d,2),a]);for(let d of l.to??[])l.kind==="replay"?o.push([a,i(d,4)]):o.push([a,r({id:`tables ${d}`,title:d,text:"tables",column:4})])}for(let l of[...n.values()]){let a=l.id.startsWith("queue ")?t.get(l.title):void 0;if(!a)continue;let d=a.slow?`${a.slow} of them wait`:"none waits",u=`${a.readers} ${a.readers===1?"reader":"readers"}`;o.push([l.id,r({id:`readers ${l.title}`,title:u,text:d,column:Math.min(4,l.column+1),href:we(["connections"],{show:"consumers",contains:l.title})})])}return{nodes:[...n.values()],edges:o}}function l3(e){return e==="failed"||e==="dead"?"bad":e==="running"||e==="idle"?"good":""}function a3(e){if(e.length<=us)return e;let t=e.slice(e.lastIndexOf("/")+1),n=e.includes("/")?`${e.split(" ")[0]} `:"",o=e.includes("/")&&t?`${n.includes("/")?"":n}…/${t}`:e;return o.length>us?`${o.slice(0,us-1)}…`:o}var R5=120,E5=50,O5=new Set(["running","idle","failed","restarting","waiting for the broker"]);function A5(){let{data:e,problem:t,refresh:n}=X("/pipeline",1e3),o=X("/peers/consumers",2e3),r=$(null),i=$(null),l=me(()=>({times:[],lag:new Map,rate:new Map}),[]),a=e.value;if(me(()=>{if(!a)return;l.times.push(Date.now());let u=l.times.length>R5;u&&l.times.shift();for(let f of a.parts)for(let[g,b]of[[l.lag,f.lag??null],[l.rate,f.rows_per_s??null]]){let m=g.get(f.name)??l.times.slice(1).map(()=>null);g.set(f.name,[...m.slice(u?1:0),b])}},[a]),!a)return t.value?s(se,{problem:t.value}):s(Pe,{});let d=u=>a.parts.slice(0,4).map((f,g)=>({title:f.name,colour:g+1,values:u.get(f.name)??[]}));return s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Pipeline"}),s(c3,{state:a.state}),s("span",{class:"muted",children:a.master&&`Spark on ${a.master}`})]}),t.value&&s(se,{problem:t.value}),a.error&&s("p",{class:"banner",children:a.error}),s("section",{class:"card","aria-label":"From the sources to the readers",children:s(u3,{parts:a.parts,readers:D5(o.data.value?.consumers??[])})}),s("div",{class:"cards",children:[s("section",{class:"card",children:s(U1,{label:"Lag",timesMs:l.times,lines:d(l.lag),written:u=>D(u)})}),s("section",{class:"card",children:s(U1,{label:"Rows read",timesMs:l.times,lines:d(l.rate),written:u1})})]}),s(ue,{caption:"Parts of the pipeline",columns:[{name:"name",title:"Part",cell:u=>u.name},{name:"kind",title:"Kind",cell:u=>u.kind},{name:"state",title:"State",cell:u=>s(c3,{state:u.state??"not running"})},{name:"rows",title:"Rows",isNumeric:!0,cell:u=>D(u.rows)},{name:"rate",title:"Rate",isNumeric:!0,cell:u=>u1(u.rows_per_s)},{name:"published",title:"Published",isNumeric:!0,cell:u=>D(u.published)},{name:"lag",title:"Lag",isNumeric:!0,cell:u=>u.lag===null||u.lag===void 0?"–":`${D(u.lag)} ${u.lag_unit}`},{name:"end_to_end_ms",title:"End to end",isNumeric:!0,help:"How old its newest row was when the broker had it",cell:u=>Oe(u.end_to_end_ms??void 0)},{name:"all_restarts",title:"Restarts",isNumeric:!0,cell:u=>D(u.all_restarts)},{name:"rejected",title:"Rejected",isNumeric:!0,cell:u=>u.rejected&&u.dead_letter_queue?s("button",{type:"button",class:"plain",onClick:()=>i.value=u.dead_letter_queue??"",children:[D(u.rejected)," – why?"]}):D(u.rejected)},{name:"error",title:"Failure",cell:u=>s("span",{class:"fault",title:u.trace,children:u.error})},{name:"restart",title:"Action",cell:u=>s("button",{type:"button",disabled:!O5.has(u.state??""),"aria-label":`Restart ${u.name}`,onClick:()=>r.value=u,children:"Restart"})}],rows:a.parts,rowKey:u=>u.name,empty:"The file declares no parts."}),i.value!==null&&s($5,{queue:i.value}),r.value&&s(be,{title:`Restart ${r.value.name}?`,text:"Its current work is finished first; it goes on where it was.",action:"Restart",fields:[],onClose:()=>r.value=null,onSubmit:async()=>{await Z(H(["pipeline",r.value?.name??"","restart"]),{method:"POST"}),he("the runner was asked to restart it"),n()}})]})}function c3({state:e}){return s("span",{class:`tag ${e==="failed"||e==="dead"?"bad":e==="running"||e==="idle"?"on":e==="finished"?"":"warn"}`,children:e})}function D5(e){let t=new Map;for(let{node:n,waits_for:o}of e){let r=t.get(n)??{readers:0,slow:0};t.set(n,{readers:r.readers+1,slow:r.slow+(o&&o!=="empty"?1:0)})}return t}function $5({queue:e}){let t=me(()=>fe([]),[e]),n=me(()=>({take:r=>t.value=[...t.value.slice(-E5+1),r],remove:()=>{},retain:()=>{}}),[t]),{problem:o}=zn(e,n);return s("section",{class:"card","aria-labelledby":"rejected-heading",children:[s("h2",{id:"rejected-heading",children:["Rejected rows, in ",s("a",{href:we(["queues",e]),children:e})]}),o.value?s(se,{problem:o.value}):s(ue,{caption:"Rejected rows, the newest first",columns:[{name:"sequence",title:"Message",cell:r=>D(r.sequence)},{name:"reason",title:"Because",cell:r=>U(L5(r)["x-opt-reason"])},{name:"properties",title:"Properties",cell:r=>s("code",{children:U(r.properties)})},{name:"body",title:"Body",cell:r=>s("code",{children:U(r.body).slice(0,200)})}],rows:[...t.value].reverse(),rowKey:r=>String(r.sequence)})]})}function L5(e){return e.annotations??{}}var d3={path:"pipelines",title:"Pipelines",inNavigation:!0,needs:"show-pipeline",view:A5};var ko=class{constructor(t){this.intervalMs=t}intervalMs;list=[];add(t,{open:n,high:o,low:r,close:i}){let l=t-t%this.intervalMs,a=this.list.at(-1);if(!(a&&l<a.startMs)){if(a?.startMs===l){a.high=Math.max(a.high,o),a.low=Math.min(a.low,r),a.close=i;return}this.list.push({startMs:l,open:n,high:o,low:r,close:i}),this.list.length>400&&this.list.shift()}}precede(t){let n=this.list.splice(0),o=n[0]?.startMs??1/0;this.list.push(...t.filter(r=>r.startMs<=o).map(r=>({...r})));for(let{startMs:r,...i}of n)this.list.at(-1)?.startMs===r?this.add(r,i):this.list.push({startMs:r,...i});this.list.splice(0,Math.max(0,this.list.length-400))}};var f3=380,N5=14,q5=40;function p3({label:e,candles:t,intervalMs:n,written:o}){let r=Ye(null),i=Ye(null),l=[t.map(a=>a.startMs/1e3),...["open","high","low","close"].map(a=>t.map(d=>d[a]))];return re(()=>{let a=r.current;if(!a)return;let d=new n1(F5(a,n,o),l,a);i.current=d;let u=new ResizeObserver(()=>d.setSize({width:Math.max(80,a.clientWidth),height:f3}));return u.observe(a),()=>{u.disconnect(),d.destroy(),i.current=null}},[ft.value,n]),re(()=>i.current?.setData(l)),s("div",{ref:r,class:"plot-area",role:"img","aria-label":e})}function F5(e,t,n){let o=getComputedStyle(document.documentElement),r=u=>o.getPropertyValue(`--${u}`).trim(),i={stroke:r("muted"),grid:{stroke:r("line"),width:1},ticks:{show:!1},font:"11px system-ui"},[l,a]=[r("good"),r("danger")],d=()=>null;return{width:Math.max(80,e.clientWidth),height:f3,legend:{show:!1},cursor:{y:!1,points:{show:!1}},padding:[8,8,0,0],axes:[{...i,size:24,space:64,values:(u,f)=>f.map(g=>new Date(g*1e3).toTimeString().slice(0,8))},{...i,size:72,space:36,values:(u,f)=>f.map(n)}],scales:{x:{range:u=>I5(u.data[0],t/1e3)},y:{range:(u,f,g)=>[f-(g-f||1)*.08,g+(g-f||1)*.08]}},series:[{},...["open","high","low","close"].map(u=>({label:u,paths:d,points:{show:!1}}))],hooks:{draw:[u=>V5(u,t,l,a)]}}}function I5(e,t){let n=e[0]??Date.now()/1e3;return[n-t,Math.max(e[e.length-1]??n,n+q5*t)+t]}function V5(e,t,n,o){let[r=[],i=[],l=[],a=[],d=[]]=e.data,{ctx:u}=e,f=devicePixelRatio,g=e.valToPos(t/1e3,"x",!0)-e.valToPos(0,"x",!0),b=Math.max(f,Math.min(.7*g,N5*f));u.save(),u.lineWidth=f;for(let[m,_]of r.entries()){let[M,w,T,x]=[i[m]??0,l[m]??0,a[m]??0,d[m]??0],S=e.valToPos(_+t/2e3,"x",!0),P=L=>e.valToPos(L,"y",!0);u.strokeStyle=u.fillStyle=x>=M?n:o,u.beginPath(),u.moveTo(S,P(w)),u.lineTo(S,P(T)),u.stroke();let z=P(Math.max(M,x));u.fillRect(S-b/2,z,b,Math.max(f,P(Math.min(M,x))-z))}u.restore()}var W5=["1","5","15","60","300"],H5=500,z5=5e3,cs=50,U5=250;function j5({parameters:e,query:t}){let n=e.queue??"",o=1e3*Number(t.get("every")??"5"),r=t.get("price"),i=me(()=>({byKey:new Map,updates:new Map,busiest:"",shown:fe(0)}),[o,r]),l={take:S=>{let P=String(S.key),z=h3(St(S),r);if(!z||!i.byKey.has(P)&&i.byKey.size>=H5)return;let L=i.byKey.get(P)??new ko(o);i.byKey.set(P,L),i.updates.set(P,S.updates),L.add(Date.now(),z)},remove:S=>(i.byKey.delete(S),void i.updates.delete(S)),retain:S=>{for(let P of i.byKey.keys())S.has(P)||i.byKey.delete(P)}},a=me(()=>({taker:l}),[]);a.taker=l;let d=me(()=>({take:S=>a.taker.take(S),remove:S=>a.taker.remove(S),retain:S=>a.taker.retain(S)}),[]),{problem:u,isLive:f,rate:g,sample:b}=zn(n,d);if(re(()=>{let S=setInterval(()=>!document.hidden&&i.shown.value++,U5);return()=>clearInterval(S)},[i]),i.shown.value,u.value)return s(se,{problem:u.value});let m=b.value?St(b.value):{},_=[...i.byKey.keys()].sort();!i.byKey.has(i.busiest)&&f.value&&(i.busiest=B5(i.updates));let M=t.get("key")??(i.busiest||(_[0]??"")),w=K5(n,M,o,r,i.byKey),T=i.byKey.get(M)?.list??[],x=m3(m);return s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:n}),s(_o,{queue:n,fields:m,current:"prices"}),s("div",{class:"actions",children:s(g2,{isLive:f.value,rate:g.value})})]}),s("div",{class:"tools",children:[s(ln,{label:"key",name:"key",value:M,choices:_}),!x&&s(ln,{label:"price",name:"price",value:D1("price",m,r),choices:Object.keys(m).filter(S=>$1(m,S)!==void 0)}),s(ln,{label:"seconds of a candle",name:"every",value:String(o/1e3),choices:W5}),s(G5,{candle:T.at(-1)})]}),s("section",{class:"card",children:s(p3,{label:`Candles of ${M}`,candles:[...T],intervalMs:o,written:ds})}),s("p",{class:"muted small",children:[w&&`${w} `,x?"Of the open, high, low and close of each value that reached this page.":"Of the prices that reached this page; what newer ones replaced before is not in them. A feed with the policy ohlc has every price."]}),s(ue,{caption:"Keys",columns:[{name:"key",title:"Key",cell:S=>S},{name:"close",title:"Price",isNumeric:!0,cell:S=>ds(i.byKey.get(S)?.list.at(-1)?.close??0)},{name:"line",title:"Since this page is open",cell:S=>s(Q5,{label:`Price of ${S}`,candles:i.byKey.get(S)?.list??[]})}],rows:_.slice(0,cs),rowKey:S=>S,rowLink:S=>we(["queues",n,"prices"],{...Object.fromEntries(t),key:S}),empty:"No prices came yet."}),_.length>cs&&s("p",{class:"muted small",children:[D(_.length)," keys; these are the first ",cs,"."]})]})}function B5(e){return[...e].reduce((t,n)=>n[1]>t[1]?n:t,["",0])[0]}function K5(e,t,n,o,r){let i=$(""),{data:l}=X(H(["queues",e]),36e5),a=!!l.value?.options.history,d=r.has(t);return re(()=>{if(i.value="",!a||!d)return;let u=new AbortController;return(async()=>{let g=H(["queues",e,"keys",t,"timeline"],{newest_first:!0,limit:z5});try{let{records:b}=await Z(g,{signal:u.signal}),m=new ko(n);for(let _ of[...b].reverse()){let M=_.updates===null?null:h3(St(_),o);M&&m.add(Date.parse(_.time),M)}r.get(t)?.precede(m.list),i.value=m.list.length?"Before the page was open: from the queue's history.":""}catch(b){u.signal.aborted||(i.value=`The history cannot be read: ${Ze(b)}.`)}})(),()=>u.abort()},[e,t,n,o,a,d]),i.value}function Q5({label:e,candles:t}){let n=t.slice(-60).map(r=>r.close),o=Math.min(...n);return s(f2,{values:n.map(r=>r-o),label:e})}function G5({candle:e}){return e?s("span",{class:"newest-candle",children:["open","high","low","close"].map(t=>s("span",{children:[t," ",s("b",{children:ds(e[t])})]},t))}):null}function m3(e){return["open","high","low","close"].every(t=>$1(e,D1(t,e,null))!==void 0)}function h3(e,t){if(m3(e)){let o=r=>$1(e,D1(r,e,null))??0;return{open:o("open"),high:o("high"),low:o("low"),close:o("close")}}let n=$1(e,D1("price",e,t));return n===void 0?null:{open:n,high:n,low:n,close:n}}function ds(e){return e.toLocaleString("en",{minimumFractionDigits:2,maximumFractionDigits:Math.abs(e)<1?6:2})}var g3={path:"queues/:queue/prices",title:"Prices",inNavigation:!1,view:j5};function S2({queue:e,asked:t}){let{data:n,problem:o}=X(H(["queues",e,"why"],t),3e3);if(o.value)return s("p",{class:"fault",role:"alert",children:o.value.detail});if(!n.value)return s("p",{class:"muted",children:"Asking …"});let{found:r,remembers:i}=n.value;return s(q,{children:[s("ol",{class:"versions","aria-label":"What became of it, newest first",children:r.map(l=>s("li",{children:[s("div",{class:"when",children:[s("span",{children:l.reason.replaceAll("_"," ")||"present"}),s("span",{children:[Be(l.time_ms??l.arrival_ms)," · ",l.sequence]})]}),s("div",{children:[l.text,l.updates>1&&s("span",{class:"muted",children:["; it stood for ",D(l.updates)," updates"]}),l.message_id&&s("span",{class:"muted",children:["; message id ",l.message_id]})]})]},l.sequence))}),r.length===0&&s("p",{class:"muted",children:"Nothing is remembered of it."}),s("p",{class:"muted",children:i?`The queue remembers why its last ${D(i)} messages left.`:"The queue knows only what left last; its option removal_log says of how many more messages it remembers why."})]})}var fs=[{name:"selector",label:"Selector",help:"Only messages that it selects, as in price > 100 AND venue = 'X'"},{name:"limit",label:"At most",kind:"number",help:"So many messages, the oldest first; all if both are empty"}],v3={name:"destination",label:"To the queue",isRequired:!0},Y5=["purge","delete"],b3={publish:"publish",purge:"purge-queue",move:"move",copy:"copy",retry:"move",delete:"delete-queue"};function y3({queue:e,refresh:t,onDeleted:n}){let o=$(null),r=e.options.paused===!0,i=ut(e.name),l=(d,u)=>s("button",{type:"button",class:Y5.includes(d)?"danger":void 0,disabled:i(b3[d])!=="",title:i(b3[d]),onClick:()=>o.value=d,children:u}),a=async()=>{await Yo(r?"The queue delivers again.":"The queue delivers nothing until it is resumed.",()=>Z(H(["queues",e.name]),{method:"PATCH",body:{paused:!r}})),t()};return s("div",{class:"actions",children:[l("publish","Publish"),s("button",{type:"button",disabled:i("update-queue")!=="",title:i("update-queue"),onClick:a,children:r?"Resume":"Pause"}),l("move","Move"),l("copy","Copy"),l("retry","Retry"),l("purge","Purge"),l("delete","Delete"),o.value&&s(J5,{action:o.value,queue:e,refresh:t,onClose:()=>o.value=null,onDeleted:n})]})}function J5({action:e,queue:t,refresh:n,onClose:o,onDeleted:r}){let i=["queues",t.name],l={onClose:o},a=async(d,u)=>{let f=await Z(H([...i,"messages",d]),{method:"POST",body:X5(u)});he(`${D(f.messages)} messages${f.stayed.length?`; ${D(f.stayed.length)} stayed, which were not taken`:""}.`),n()};switch(e){case"publish":return s(Z5,{queue:t,refresh:n,onClose:o});case"move":return s(be,{...l,title:"Move messages",action:"Move",fields:[v3,...fs],onSubmit:d=>a("move",d)});case"copy":return s(be,{...l,title:"Copy messages",action:"Copy",fields:[v3,...fs],onSubmit:d=>a("copy",d)});case"retry":return s(be,{...l,title:"Retry dead letters",text:"Messages go back to the queues that they left.",action:"Retry",fields:fs,onSubmit:d=>a("retry",d)});case"purge":return s(be,{...l,title:`Purge ${t.name}`,text:`Remove ${D(t.available)} messages? Those that a consumer holds stay.`,action:"Purge",isDangerous:!0,fields:[],onSubmit:async()=>{let{messages:d}=await Z(H([...i,"purge"]),{method:"POST"});he(`${D(d)} messages were removed.`),n()}});case"delete":return s(be,{...l,title:`Delete ${t.name}`,text:`The queue and its ${D(t.depth)} messages are gone then.`,action:"Delete",isDangerous:!0,fields:[{name:"name",label:"Its name, to be sure",isRequired:!0}],onSubmit:async({name:d})=>{if(d!==t.name)throw new Error(`the name is ${t.name}`);await Z(H(i),{method:"DELETE"}),he(`Queue ${t.name} was deleted.`),r()}})}}function Z5({queue:e,refresh:t,onClose:n}){let o=e.options.lvq_key,r=typeof o=="string"?o.split(","):[],i=r.map((l,a)=>({name:`key ${a}`,label:`Key (${l})`,isRequired:!0}));return s(be,{title:`Publish to ${e.name}`,action:"Publish",onClose:n,fields:[...i,{name:"body",label:"Body",kind:"lines"},{name:"isJson",label:"The body is JSON",kind:"checkbox",help:"A number, a list or an object, instead of a text"},{name:"properties",label:"Properties",kind:"json",help:'As a JSON object, such as {"venue": "X"}'},{name:"ttl_ms",label:"Time to live in ms",kind:"number"}],onSubmit:async({body:l,isJson:a,properties:d,ttl_ms:u,...f})=>{let g=U(l),b={body:a?JSON.parse(g):g,properties:{...d,...Object.fromEntries(r.map((m,_)=>[m,f[`key ${_}`]]))},...u===void 0?{}:{ttl_ms:u}};await Z(H(["queues",e.name,"messages"]),{method:"POST",body:b}),he("The message was confirmed."),t()}})}function X5(e){return"selector"in e||"limit"in e||"sequences"in e?e:{...e,all:!0}}var w3=50,ps={after:null,offset:0};function x3({queue:e}){let t=$(""),n=$([ps]),o=$(new Set),r=$(null),i=$(null),l=ut(e.name),a=n.value.at(-1)??ps,{data:d,problem:u,refresh:f}=X(H(["queues",e.name,"messages"],{after:a.after??"",limit:w3,selector:t.value})),g=d.value?.messages??[],b=d.value?.next,m=b?()=>n.value=[...n.value,{after:b.after,offset:b.after?a.offset+g.length:0}]:void 0,_=async(w,T={})=>{let x={...T,sequences:[...o.value]},S=await Z(H(["queues",e.name,"messages",w]),{method:"POST",body:x});he(`${D(S.messages)} messages.`),o.value=new Set,f()},M=w=>{let T=new Set(o.value);T.delete(w)||T.add(w),o.value=T};return s(q,{children:[s("form",{class:"tools",onSubmit:w=>{w.preventDefault(),t.value=new FormData(w.currentTarget).get("selector")?.toString().trim()??"",n.value=[ps]},children:[s("input",{name:"selector",type:"search","aria-label":"Selector",placeholder:"Selector, as in price > 100",defaultValue:t.value}),s("button",{type:"submit",children:"Select"}),s("span",{class:"muted",children:o.value.size?`${D(o.value.size)} chosen`:""}),s("button",{type:"button",disabled:!o.value.size||l("move")!=="",title:l("move"),onClick:()=>i.value="move",children:"Move chosen"}),s("button",{type:"button",disabled:!o.value.size||l("copy")!=="",title:l("copy"),onClick:()=>i.value="copy",children:"Copy chosen"}),s("button",{type:"button",class:"danger",disabled:!o.value.size||l("delete-messages")!=="",title:l("delete-messages"),onClick:()=>_("delete").catch(Xt),children:"Delete chosen"})]}),u.value?s(se,{problem:u.value}):d.value?s(q,{children:[s(ue,{caption:`Messages of ${e.name}`,rows:g,rowKey:w=>String(w.sequence),isNarrow:!0,columns:[{name:"chosen",title:"",cell:({sequence:w})=>s("input",{type:"checkbox","aria-label":`Choose message ${w}`,checked:o.value.has(w),onChange:()=>M(w)})},{name:"sequence",title:"Sequence",isNumeric:!0,cell:w=>s("button",{type:"button",class:"plain mono",onClick:()=>r.value=w,children:w.sequence})},{name:"age",title:"Age",isNumeric:!0,cell:w=>Oe(Date.now()-(w.arrival_time_ms??0))},{name:"properties",title:"Properties",cell:w=>s("code",{children:_3(U(w.properties??{}))})},{name:"body",title:"Body",cell:w=>s("code",{children:_3(U(w.body??w.body_base64))})}],empty:b&&t.value?"None of the messages of this page is selected.":"No message that a reader could see is here."}),b&&t.value&&g.length<w3&&s("p",{class:"muted",children:["Looked as far as sequence ",D(b.after),"."," ",s("button",{type:"button",onClick:m,children:"Look further"})]}),s(p2,{offset:a.offset,rows:g.length,onPrevious:n.value.length>1?()=>n.value=n.value.slice(0,-1):void 0,onNext:m})]}):s(Pe,{}),r.value&&s(ct,{title:`Message ${r.value.sequence}`,onClose:()=>r.value=null,isDrawer:!0,children:s("pre",{tabIndex:0,children:JSON.stringify(r.value,null,2)})}),i.value&&s(be,{title:i.value==="move"?"Move chosen messages":"Copy chosen messages",action:i.value==="move"?"Move":"Copy",fields:[{name:"destination",label:"To the queue",isRequired:!0}],onClose:()=>i.value=null,onSubmit:w=>_(i.value,w)})]})}function _3(e){return e.length>120?`${e.slice(0,120)} …`:e}var e6=36e5;function k3({queue:e,refresh:t}){let{data:n,problem:o}=X("/queue-options",e6),r=$(null),i=ut(e.name),l=$(!1);if(!n.value)return o.value?s(se,{problem:o.value}):s(Pe,{});let a=n.value.options.filter(d=>d.types.includes(e.type)&&(l.value||d.name in e.options));return s(q,{children:[s("div",{class:"tools",children:s("button",{type:"button","aria-pressed":l.value,onClick:()=>l.value=!l.value,children:"Show defaults"})}),s(ue,{caption:`Options of ${e.name}`,rows:a,rowKey:d=>d.name,columns:[{name:"name",title:"Option",cell:d=>s("code",{children:d.name})},{name:"value",title:"Value",cell:d=>s("b",{children:S3(e.options[d.name]??d.default,d)})},{name:"origin",title:"Origin",cell:d=>d.name in e.options?s("span",{class:"tag on",children:"declared"}):s("span",{class:"tag",children:"default"})},{name:"sentence",title:"Meaning",cell:d=>s("span",{class:"muted",children:d.sentence})},{name:"edit",title:"",cell:d=>d.for_life?s("span",{class:"muted",title:"Delete the queue and declare it again to change this",children:"for life"}):s("button",{type:"button",disabled:i("update-queue")!=="",title:i("update-queue"),"aria-label":`Change ${d.name}`,onClick:()=>r.value=d,children:"Change"})}],empty:"All options have their defaults.",isNarrow:!0}),r.value&&s(t6,{queue:e,option:r.value,refresh:t,onClose:()=>r.value=null})]})}function t6({queue:e,option:t,refresh:n,onClose:o}){let r=e.options[t.name]??t.default,i={name:t.name,label:t.unit?`${t.name} (${t.unit})`:t.name,kind:t.kind==="flag"?"checkbox":t.kind,choices:t.choices,value:t.kind==="flag"?r===!0:U(r??""),help:`${t.sentence} The default is ${S3(t.default,t)}.`};return s(be,{title:`Change ${t.name}`,action:"Change",fields:[i],onClose:o,onSubmit:async l=>{await Z(H(["queues",e.name]),{method:"PATCH",body:{[t.name]:l[t.name]??t.default}}),he(`${t.name} was changed.`),n()}})}function S3(e,t){return e==null?"none":t.unit&&typeof e=="number"?`${e} ${t.unit}`:U(e)}function P3({queue:e}){let{data:t,problem:n}=X("/peers/consumers",2e3);return t.value?s(ue,{caption:`Readers of ${e}`,rows:t.value.consumers.filter(o=>o.node===e),rowKey:o=>`${o.connection} ${o.session} ${o.name}`,columns:[{name:"name",title:"Reader",cell:o=>o.name},{name:"kind",title:"",cell:o=>s("span",{class:"tag",children:o.browses?"browser":"consumer"})},{name:"user",title:"User",cell:o=>o.user},{name:"connection",title:"Connection",cell:o=>o.connection},{name:"delivered",title:"Delivered",isNumeric:!0,cell:o=>D(o.delivered)},{name:"unsettled",title:"Unsettled",isNumeric:!0,cell:o=>D(o.unsettled)},{name:"credit",title:"Credit",isNumeric:!0,cell:o=>o.credit<0?"any":D(o.credit)},{name:"waits_for",title:"Waits for",cell:o=>o.waits_for}],empty:"Nobody reads this queue."}):n.value?s(se,{problem:n.value}):s(Pe,{})}var n6=12,o6=300,r6=500,Bn=class{constructor(t){this.keyProperty=t}keyProperty;received=0;represented=0;pinned=new Set;columns=[];rows=new Map;sorted=[];order={column:"key",descends:!1};filter="";isDirty=!0;orderIsDirty=!0;sortedMs=0;snapshots=new Hn;known=new Set;columnsAreDirty=!1;get size(){return this.rows.size}begin(t){this.snapshots.begin(t)}complete(t=0){this.known.clear();for(let[n,o]of this.rows){let r=o.value.partition??0;r===t&&this.snapshots.isLeftBehind(o.snapshot,r)&&this.rows.delete(n)}this.isDirty=this.orderIsDirty=!0;for(let n of this.rows.values())for(let o in n.fields)this.known.add(o);this.chooseColumns()}take(t,n){for(let o of t)this.takeOne(o,n);this.isDirty=!0,this.columnsAreDirty&&this.chooseColumns()}row(t){return this.rows.get(t)}remove(t){this.rows.delete(t),this.isDirty=this.orderIsDirty=!0}sortBy(t){this.order=t,this.isDirty=this.orderIsDirty=!0}filterBy(t){this.filter=t.toLowerCase(),this.isDirty=this.orderIsDirty=!0}pin(t){this.pinned.delete(t)||this.pinned.add(t),this.isDirty=this.orderIsDirty=!0}takeDirty(){let t=this.isDirty;return this.isDirty=!1,t}ordered(t){let n=this.order.column!=="key"||this.filter!=="";return(this.orderIsDirty||n&&t-this.sortedMs>r6)&&(this.sorted=this.filter?[...this.rows.values()].filter(o=>this.admits(o)):[...this.rows.values()],this.sorted.sort((o,r)=>this.compared(o,r)),this.orderIsDirty=!1,this.sortedMs=t),this.sorted}takeOne(t,n){let o=ms(t),r=this.rows.get(o);if(this.received++,r===void 0){this.represented++;let l=this.fieldsOf(t);this.rows.set(o,{id:o,value:t,fields:l,before:null,changes:0,changedMs:0,snapshot:this.snapshots.current}),this.orderIsDirty=!0;return}if(r.snapshot=this.snapshots.current,r.value.sequence===t.sequence)return;let i=t.updates-r.value.updates;this.represented+=i>0?i:t.updates,r.before=r.fields,r.fields=this.fieldsOf(t),r.value=t,r.changes++,r.changedMs=n}fieldsOf(t){let n=Ft(t,this.keyProperty);for(let o in n)this.known.has(o)||(this.known.add(o),this.columnsAreDirty=!0);return n}chooseColumns(){this.columnsAreDirty=!1;let t=new Map,n=0;for(let r of this.rows.values()){for(let i of Object.keys(r.fields))t.set(i,(t.get(i)??0)+1);if(++n===o6)break}for(let r of this.known)t.has(r)||t.set(r,0);let o=new Set([...t].sort((r,i)=>i[1]-r[1]).slice(0,n6).map(([r])=>r));this.columns=[...t.keys()].filter(r=>o.has(r))}admits(t){return this.pinned.has(t.id)||U(t.value.key).toLowerCase().includes(this.filter)?!0:Object.values(t.fields).some(n=>U(n).toLowerCase().includes(this.filter))}compared(t,n){let o=Number(this.pinned.has(n.id))-Number(this.pinned.has(t.id));if(o)return o;let r=T3(P2(t,this.order.column),P2(n,this.order.column));return(this.order.descends?-r:r)||T3(t.value.key,n.value.key)}};function ms(e){return e.key===null||e.key===void 0?`#${e.sequence}`:`${typeof e.key}:${e.key}`}function P2(e,t){return t==="key"?e.value.key:t==="updates"?e.value.updates:t==="age"?-(e.value.arrival_time_ms??0):e.fields[t]}function Ft(e,t){let n=s6(e.body),o={...e.properties};if(delete o[t],n===null)return{...o,body:e.body??e.body_base64??null};let r={...n};return U(r[t])===U(e.key)&&delete r[t],{...o,...r}}function s6(e){let t=e;if(typeof e=="string"&&e.startsWith("{"))try{t=JSON.parse(e)}catch{return null}return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:null}function T3(e,t){if(typeof e=="number"&&typeof t=="number")return e-t;if(e==null)return t==null?0:1;if(t==null)return-1;let n=U(e),o=U(t);return n<o?-1:n>o?1:0}var C3=50;function R3({queue:e,keyProperty:t,row:n,live:o,hasHistory:r,remembers:i,onClose:l}){let a=$(n.value),d=$([M3(n.value,t)]);re(()=>{if(o===null)return;let M=setInterval(()=>{let w=o.row(n.id)?.value;w===void 0||w.sequence===a.value.sequence||(a.value=w,d.value=[M3(w,t),...d.value].slice(0,C3))},100);return()=>clearInterval(M)},[]);let{key:u,sequence:f,updates:g,arrival_time_ms:b,properties:m}=a.value,_=typeof u=="string"||typeof u=="boolean"||Number.isInteger(u);return s(ct,{title:u==null?`Message ${f}`:U(u),onClose:l,isDrawer:!0,children:[s("dl",{class:"facts",children:[s("dt",{children:"Sequence"}),s("dd",{children:f}),s("dt",{children:"Updates"}),s("dd",{children:g}),b!==void 0&&s(q,{children:[s("dt",{children:"Came"}),s("dd",{children:[Be(b),o&&s("span",{class:"muted",children:[", ",Oe(Date.now()-b)," ago"]})]})]}),m&&s(q,{children:[s("dt",{children:"Properties"}),s("dd",{class:"mono",children:U(m)})]})]}),s("pre",{tabIndex:0,"aria-label":"Body",children:u6(a.value)}),o&&_&&s(i6,{queue:e,value:a.value,onClose:l}),s("h3",{children:"What happened"}),r&&_?s(l6,{queue:e,keyProperty:t,value:a.value}):s(E3,{versions:d.value}),!r&&s("p",{class:"muted",children:"The queue has no history: these are the values since this was opened."}),i&&_&&s(q,{children:[s("h3",{children:"Why values are gone"}),s(S2,{queue:e,asked:{key:U(u),...x2(u)}})]})]})}function i6({queue:e,value:t,onClose:n}){let o=$(!1),r=$(t),i=$(""),l=ut(e),a=H(["queues",e,"keys",U(t.key)],x2(t.key)),d={"If-Match":`"${r.value.sequence}"`},u=async()=>{try{await Z(a,{method:"DELETE",headers:{"If-Match":`"${t.sequence}"`}}),he("The value was deleted."),n()}catch(g){Xt(g)}};if(!o.value)return s("div",{class:"actions",children:[s("button",{type:"button",disabled:l("publish")!=="",title:l("publish"),onClick:()=>(r.value=t,o.value=!0),children:"Change"}),s("button",{type:"button",class:"danger",disabled:l("delete-messages")!=="",title:l("delete-messages"),onClick:u,children:"Delete"})]});let f=typeof r.value.body=="string";return s(q,{children:[i.value&&s("p",{class:"fault",role:"alert",children:[i.value,": the form has the newest value now"]}),s(W1,{action:"Put",fields:[{name:"body",label:f?"New body, a text":"New body, as JSON",kind:f?"lines":"json",value:f?U(r.value.body):JSON.stringify(r.value.body??null,null,2),help:`Taken only if the value is still ${r.value.sequence}.`}],onSubmit:async({body:g})=>{try{await Z(a,{method:"PUT",headers:d,body:{body:g??"",properties:r.value.properties??{}}})}catch(b){if(b instanceof Ve&&b.status===412){r.value=t,i.value=Ze(b);return}throw b}he("The value was put."),i.value="",o.value=!1}},r.value.sequence)]})}function l6({queue:e,keyProperty:t,value:n}){let o=H(["queues",e,"keys",U(n.key),"timeline"],{...x2(n.key),newest_first:!0,limit:C3}),{data:r,problem:i}=X(o,3e3);if(i.value)return s("p",{class:"fault",children:i.value.detail});if(!r.value)return s("p",{class:"muted",children:"Reading the history …"});let{records:l}=r.value,a=f=>f.effect==="removed"&&f.reason==="replaced",d=new Map(l.filter(a).map(f=>[f.time,f.sequence])),u=l.filter(f=>!a(f)).map(f=>({timeMs:Date.parse(f.time),what:a6(f,d.get(f.time)),sequence:f.sequence??0,fields:f.updates===null?null:Ft({...f,key:n.key,sequence:f.sequence??0,updates:f.updates},t)}));return s(E3,{versions:u})}function a6({effect:e,reason:t},n){return t?`${e}: ${t}`:n?`${e}, in place of ${n}`:e}function E3({versions:e}){return s("ol",{class:"versions","aria-label":"Versions, newest first",children:e.map((t,n)=>{let o=e.slice(n+1).find(r=>r.fields!==null)?.fields??null;return s("li",{children:[s("div",{class:"when",children:[s("span",{children:t.what}),s("span",{children:[Be(t.timeMs)," · ",t.sequence]})]}),t.fields&&s(T2,{before:o,after:t.fields})]},`${t.timeMs} ${t.sequence} ${t.what} ${e.length-n}`)})})}function T2({before:e,after:t}){let o=[...new Set([...Object.keys(e??{}),...Object.keys(t)])].filter(r=>e===null||U(e[r])!==U(t[r]));return o.length===0?s("div",{class:"muted",children:"the same value"}):s(q,{children:o.map(r=>s("div",{class:"change",children:[r,": ",e!==null&&r in e&&s("del",{children:U(e[r])})," ",r in t&&s("ins",{children:U(t[r])})]},r))})}function M3(e,t){return{timeMs:e.arrival_time_ms??Date.now(),what:"value",sequence:e.sequence,fields:Ft(e,t)}}function u6(e){if(e.body_base64!==void 0)return e.body_base64;let t=e.body;if(typeof t=="string"&&t.startsWith("{"))try{return JSON.stringify(JSON.parse(t),null,2)}catch{return t}return typeof t=="string"?t:JSON.stringify(t,null,2)}var It=30,O3=6,c6=900,d6=8,f6=36,p6=140,m6=20,$3=8,h6=44,A3=84,D3=92;function L3({table:e,label:t,onOpen:n,nowMs:o,height:r=480}){let i=Ye(null),l=$(0),a=$(0),d=$({column:"key",descends:!1}),u=$(0),f=Ye(d6);re(()=>{let O=0,J=0,K=()=>{let E=Math.floor(performance.now()/1e3);(e.takeDirty()||E!==J)&&l.value++,J=E,O=requestAnimationFrame(K)};return O=requestAnimationFrame(K),()=>cancelAnimationFrame(O)},[e]),l.value;let g=performance.now(),b=e.ordered(g),m=Math.max(0,Math.floor(a.value/It)-O3),_=b.slice(m,m+Math.ceil(r/It)+2*O3),M=["key",...e.columns,"updates","age"],w=new Set(["updates","age",...e.columns.filter(O=>typeof _[0]?.fields[O]=="number")]);f.current=Math.max(f.current,..._.map(O=>U(O.value.key).length));let T=e.columns.map(g6),x=`${Math.min(f.current,f6)*$3+h6}px`,S=`min(${x}, max(${p6}px, ${m6}cqw))`,P=[`minmax(${S}, ${x})`,...T.map(O=>`minmax(${O}px, 1fr)`),`${A3}px`,`${D3}px`].join(" "),z=`calc(${S} + ${T.reduce((O,J)=>O+J,A3+D3)}px)`,L=O=>{let J=d.value.column===O;d.value={column:O,descends:J?!d.value.descends:w.has(O)&&O!=="age"},e.sortBy(d.value)},ne=O=>{let J=Math.floor(r/It)-2,E={ArrowDown:1,ArrowUp:-1,PageDown:J,PageUp:-J,Home:-b.length,End:b.length}[O.key],Q=b[u.value];if(E!==void 0){u.value=Math.min(b.length-1,Math.max(0,u.value+E));let N=u.value*It,ee=i.current;N<ee.scrollTop?ee.scrollTop=N:N+2*It>ee.scrollTop+r&&(ee.scrollTop=N+2*It-r)}else if(O.key==="Enter"&&Q)n(Q);else if(O.key==="p"&&Q)e.pin(Q.id);else return;O.preventDefault()};return s(q,{children:[b.length===0&&s("p",{class:"muted",children:"There are no values, or none that fits."}),s("div",{ref:i,class:"live",tabIndex:0,role:"grid","aria-label":t,"aria-rowcount":b.length+1,"aria-colcount":M.length,"aria-activedescendant":b[u.value]?`row-${u.value}`:void 0,onScroll:O=>a.value=O.currentTarget.scrollTop,onKeyDown:ne,children:s("div",{class:"live-rows",role:"rowgroup",style:{height:`${(b.length+1)*It}px`,"--least":z,"--grid":P},children:[s("div",{class:"live-row head",role:"row","aria-rowindex":1,children:M.map(O=>s("div",{class:w.has(O)?"number":"",role:"columnheader","aria-sort":d.value.column!==O?"none":d.value.descends?"descending":"ascending",children:s("button",{type:"button",class:"plain",onClick:()=>L(O),children:[O,s("span",{class:"order","aria-hidden":"true",children:d.value.column!==O?"":d.value.descends?"▼":"▲"})]})},O))}),_.map((O,J)=>s(v6,{row:O,at:m+J,columns:M,numeric:w,isPinned:e.pinned.has(O.id),isFocused:m+J===u.value,isFresh:g-O.changedMs<c6&&O.changes>0,ageMs:o()-(O.value.arrival_time_ms??0),onOpen:()=>(u.value=m+J,n(O)),onPin:()=>e.pin(O.id)},O.id))]})})]})}function g6(e){return Math.min(180,Math.max(90,e.length*$3+40))}function v6({row:e,at:t,columns:n,numeric:o,isPinned:r,isFocused:i,isFresh:l,ageMs:a,onOpen:d,onPin:u}){return s("div",{id:`row-${t}`,class:i?"live-row focused":"live-row",role:"row","aria-rowindex":t+2,style:{transform:`translateY(${(t+1)*It}px)`},onClick:d,children:n.map(f=>{let g=f==="age"?Oe(a):U(P2(e,f)),m=l&&e.before!==null&&U(e.before[f])!==U(e.fields[f])?` flash-${e.changes%2}`:"";return s("div",{role:"gridcell",class:(o.has(f)?"number":"")+m,title:g.length>24?g:void 0,children:[f==="key"&&s("button",{type:"button",class:r?"plain pin on":"plain pin",tabIndex:-1,"aria-label":r?`Unpin ${g}`:`Pin ${g}`,"aria-pressed":r,onClick:_=>(_.stopPropagation(),u()),children:s(R1,{name:"pin"})}),g]},f)})})}function N3({queue:e,from:t,to:n,onClose:o}){let r=H(["queues",e,"replay"]),i={from:new Date(t).toISOString(),to:new Date(n).toISOString()},l=$(null),a=$("");re(()=>{let u={...i,dry_run:!0};Z(r,{method:"POST",body:u}).then(f=>l.value=f,f=>a.value=Ze(f))},[]);let d=l.value;return s(ct,{title:`Replay ${e}`,onClose:o,isDrawer:!0,children:[s("p",{class:"muted",children:[Be(t)," to ",Be(n),d&&`: ${D(d.messages)} messages of ${D(d.keys)} ${d.keys===1?"key":"keys"}`]}),a.value&&s("p",{class:"fault",role:"alert",children:a.value}),!d&&!a.value&&s("p",{class:"muted",children:"Reading the history …"}),d&&s(q,{children:[s(W1,{action:`Publish ${D(d.messages)} messages`,fields:[{name:"into",label:"Into the queue",isRequired:!0,help:"Another one, which is there already; the same period again publishes nothing twice"},{name:"every_ms",label:"One of a key in so many ms",kind:"number",help:"The last one; if it is empty, every message"}],onSubmit:async u=>{let f=await Z(r,{method:"POST",body:{...i,...u}});he(`${D(f.messages)} messages were published to ${f.into}.`),o()}}),s(ue,{caption:"The first messages of the period",columns:[{name:"time",title:"Came",cell:u=>Be(Date.parse(u.time))},{name:"key",title:"Key",cell:u=>U(u.key)},{name:"body",title:"Body",cell:u=>s("code",{children:U(u.body).slice(0,120)})}],rows:d.first,rowKey:u=>String(u.sequence),empty:"Nothing came in this period."})]})]})}var b6=1e4,y6=200,Kn=1e3;function q3({name:e,keyProperty:t,past:n}){let{data:o,problem:r}=X(H(["queues",e,"history"]),1e4),i=$(Kn),l=$(""),a=$(null),d=$(null),u=$(null),f=Ye(0),g=Ye(null);if(re(()=>()=>{n.value=null},[]),r.value)return s("p",{class:"muted",children:["The history cannot be read: ",r.value.detail]});if(!o.value)return s("p",{class:"muted",children:"Reading the history …"});let b=Date.parse(o.value.history_from),m=Date.parse(o.value.history_to),_=S=>Math.round(b+(m-b)*S/Kn),M=S=>Math.min(Kn,Math.max(0,Math.round(Kn*(S-b)/Math.max(1,m-b)))),w=()=>{clearTimeout(f.current),g.current=null,i.value=Kn,n.value=null,l.value=""},T=S=>{i.value=M(S),clearTimeout(f.current),g.current=S,f.current=window.setTimeout(async()=>{try{let P=await _6(e,t,S);if(g.current!==S)return;n.value=P,l.value=""}catch(P){g.current===S&&(l.value=Ze(P))}},y6)},x=n.value?.timeMs;return s("div",{class:"past",role:"group","aria-label":"The past of the queue",children:[s("button",{type:"button","aria-pressed":n.value===null,onClick:w,children:"Live"}),s("input",{type:"range",min:0,max:Kn,value:i.value,"aria-label":"Moment","aria-valuetext":Be(_(i.value)),onInput:S=>T(_(Number(S.currentTarget.value)))}),s("label",{class:"exact",children:[s("input",{type:"text","aria-label":"Exact moment",placeholder:"YYYY-MM-DD hh:mm:ss",value:Be(x??m),onChange:S=>{let P=new Date(S.currentTarget.value.trim().replace(" ","T")).getTime();Number.isNaN(P)?l.value="a moment is written as 2026-01-31 09:30:00":T(P)}}),s("span",{class:"muted",children:Ti(x??m)})]}),s("output",{children:x===void 0?"now":`${Be(x)}, ${D(n.value?.total)} rows`}),s("button",{type:"button",disabled:x===void 0,onClick:()=>a.value=x??null,children:a.value===null?"Mark":`Marked ${Be(a.value).slice(11,19)}`}),s("button",{type:"button",disabled:a.value===null||a.value===x,onClick:()=>{let S=[a.value??0,x??Date.now()].sort((P,z)=>P-z);d.value=[S[0]??0,S[1]??0]},children:"Compare with the mark"}),s("button",{type:"button",disabled:a.value===null||a.value===x,title:"Publish again what came between the mark and the moment that is shown",onClick:()=>{let S=[a.value??0,x??Date.now()].sort((P,z)=>P-z);u.value=[S[0]??0,S[1]??0]},children:"Replay …"}),l.value&&s("span",{class:"fault",role:"alert",children:l.value}),d.value&&s(w6,{name:e,from:d.value[0],to:d.value[1],onClose:()=>d.value=null}),u.value&&s(N3,{queue:e,from:u.value[0],to:u.value[1],onClose:()=>u.value=null})]})}function w6({name:e,from:t,to:n,onClose:o}){let r=H(["queues",e,"diff"],{from:new Date(t).toISOString(),to:new Date(n).toISOString(),limit:500}),{data:i,problem:l}=X(r,36e5);return s(ct,{title:"What changed",onClose:o,isDrawer:!0,children:[s("p",{class:"muted",children:[Be(t)," to ",Be(n),i.value&&`: ${D(i.value.total)} changes`]}),l.value&&s("p",{class:"fault",children:l.value.detail}),s("ol",{class:"versions",children:i.value?.changes.map(a=>s("li",{children:[s("div",{class:"when",children:[s("b",{children:U(a.key??a.sequence)}),s("span",{children:a.reason&&a.reason!==a.change?`${a.change}: ${a.reason}`:a.change})]}),"before"in a?s(T2,{before:Ft({...a,properties:{},body:a.before},""),after:Ft({...a,properties:{}},"")}):s(T2,{before:null,after:Ft({...a,properties:{}},"")})]},`${U(a.key)} ${a.sequence}`))})]})}async function _6(e,t,n){let o=H(["queues",e,"as-of"],{moment:new Date(n).toISOString(),limit:b6}),r=await Z(o),i=new Bn(t);return i.begin(),i.take(r.values,performance.now()),i.complete(),{timeMs:n,table:i,total:r.total}}var x6={glob:"",selector:""};function I3({name:e,queue:t,mostFollowed:n}){let o=t.value,r=String(o.options.lvq_key??""),i=$(x6),l=$(null),a=$(null),d=me(()=>new Bn(r),[e,r,i.value]),u=i.value.selector!==""||i.value.glob!=="",f=!u&&(o.statistics.keys??0)>n,g=H(["queues",e,"follow"],{...i.value}),b=S6(f||l.value!==null?null:g,d),m=l.value?.table??d,_=!!o.options.history;return s(q,{children:[s("div",{class:"tools",children:[s("input",{type:"search","aria-label":"Rows with this text",placeholder:"Filter rows",onInput:M=>m.filterBy(M.currentTarget.value.trim())}),s("form",{class:"tools",onSubmit:M=>{M.preventDefault();let w=new FormData(M.currentTarget),T=x=>w.get(x)?.toString().trim()??"";i.value={glob:T("glob"),selector:T("selector")}},children:[s("input",{name:"glob",type:"search",class:"short","aria-label":"Keys that match",placeholder:"Keys, as in eu.*"}),s("input",{name:"selector",type:"search","aria-label":"Selector",placeholder:"Selector, as in price > 100"}),s("button",{type:"submit",children:"Select"})]}),s(h2,{name:e,rows:()=>m.ordered(performance.now()).map(M=>k6(M,m.columns))}),l.value===null&&s(P6,{live:d,queue:t,isSelected:u})]}),_&&s(q3,{name:e,keyProperty:r,past:l}),o.options.paused===!0&&s("p",{class:"banner",children:"The queue is paused: nothing new comes to its readers."}),b.lost&&s("p",{class:"banner",role:"status",children:["The rows are as they were: ",b.lost,". Asking again …"]}),b.refused?s(se,{problem:b.refused}):f&&l.value===null?s("p",{class:"notice",children:["The queue has ",D(o.statistics.keys)," keys. A pattern of keys or a selector chooses the rows to follow; the messages are listed in pages."]}):s(L3,{table:m,label:`Values of ${e}`,nowMs:()=>l.value?.timeMs??Date.now(),onOpen:M=>a.value=M}),a.value&&s(R3,{queue:e,keyProperty:r,row:a.value,live:l.value===null?d:null,hasHistory:_,remembers:Number(o.options.removal_log??0)>0,onClose:()=>a.value=null},a.value.id)]})}function k6(e,t){let{key:n,sequence:o,updates:r,arrival_time_ms:i}=e.value,l=Object.fromEntries(t.map(a=>[a,e.fields[a]]));return{key:n,...l,...e.fields,updates:r,sequence:o,came:i===void 0?null:new Date(i).toISOString()}}function S6(e,t){let n=$({lost:"",refused:null});return re(()=>{if(e===null)return;let o=new AbortController,r=new Map;return n.value={lost:"",refused:null},v2(e,{begin:l=>{n.value.refused&&(n.value={lost:"",refused:null}),t.begin(l)},values:l=>t.take(l,performance.now()),removed:l=>t.remove(ms(l)),snapshotEnd:({resumed:l,partition:a})=>{l||t.complete(a),r.delete(a??0),n.value={lost:F3(r),refused:null}},partitionLost:({partition:l,detail:a})=>{r.set(l,a),n.value={lost:F3(r),refused:null}},lost:l=>{r.clear(),n.value={lost:l,refused:null}},refused:l=>n.value={lost:"",refused:l}},o.signal),()=>o.abort()},[e,t]),n.value}function F3(e){return[...e].map(([t,n])=>`partition ${t} is away: ${n}`).join("; ")}function P6({live:e,queue:t,isSelected:n}){let o=me(()=>new mt,[e]),r=me(()=>new mt,[e]),i=me(()=>({queue:void 0}),[e]);t.value!==i.queue&&(i.queue=t.value,o.add(Date.now(),e.received),r.add(Date.now(),n?e.represented:t.value?.published??0));let l=r.rate()??0,a=Math.min(o.rate()??0,l),d=l>0?1-a/l:0;return s("div",{class:"saving",title:"What conflation saves: updates that need not come here, because a newer one of their key does",children:[s("span",{children:[s("b",{children:u1(l)})," in, ",s("b",{children:u1(a)})," shown"]}),s("span",{class:"bar",role:"meter","aria-label":"Saved by conflation","aria-valuemin":0,"aria-valuemax":100,"aria-valuenow":Math.round(100*d),children:s("i",{style:{width:`${100*d}%`}})}),s("span",{children:[s("b",{children:[Math.round(100*d)," %"]})," saved"]})]})}var T6=5e4,V3={values:"Values",messages:"Messages",options:"Options",readers:"Readers",removed:"Removed"},M2=new et,W3;function M6({parameters:e,query:t}){let n=e.queue??"",o=X(H(["queues",n]),1e3),r=o.data.value,i=$(!1);if(i.value)return s("p",{class:"notice",children:["The queue ",n," was deleted."]});if(!r)return o.problem.value?s(se,{problem:o.problem.value}):s(Pe,{});if(o.problem.value?.status===404)return s(se,{problem:o.problem.value});r!==W3&&(W3=r,M2.of(`${n} in`).add(Date.now(),r.published),M2.of(`${n} out`).add(Date.now(),r.statistics.acquired??0));let l=r.type==="lvq",a=Object.keys(V3).filter(f=>l||f!=="values"),d=t.get("tab"),u=d!==null&&a.includes(d)?d:a[0];return s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:n}),s(ss,{queue:r}),l&&s(Va,{queue:n}),s(y3,{queue:r,refresh:o.refresh,onDeleted:()=>i.value=!0})]}),_t()&&s("p",{class:"banner",role:"status",children:[_t(),"; values and messages are shown as it has them."]}),s(R6,{queue:r}),s("nav",{class:"tabs","aria-label":"Parts of the queue",children:a.map(f=>s("a",{href:we(["queues",n],{tab:f}),"aria-current":f===u?"page":void 0,children:V3[f]},f))}),s(C6,{tab:u,polled:o,queue:r})]})}function C6({tab:e,polled:t,queue:n}){switch(e){case"values":return s(I3,{name:n.name,queue:t.data,mostFollowed:T6});case"messages":return s(x3,{queue:n});case"options":return s(k3,{queue:n,refresh:t.refresh});case"readers":return s(P3,{queue:n.name});case"removed":return s(q,{children:[s(E6,{queue:n}),s(O6,{queue:n})]})}}function R6({queue:e}){let t=e.statistics.last_in_ms??0,n=[["Messages",D(e.depth)],...e.type==="lvq"?[["Keys",D(e.statistics.keys)]]:[],["In",u1(M2.of(`${e.name} in`).rate())],["To consumers",u1(M2.of(`${e.name} out`).rate())],...e.type==="lvq"?[["Conflated",`${(100*_2(e)).toFixed(1)} %`]]:[],["Readers",D(e.subscriptions)],["Newest",t?Oe(Date.now()-t):"–"]];return s("dl",{class:"figures",children:n.map(([o,r])=>s("div",{class:"figure",children:[s("dt",{children:o}),s("dd",{children:r})]},o))})}function E6({queue:e}){let t=Object.entries(e.removed).sort((n,o)=>o[1]-n[1]);return s("div",{class:"card",children:[s("p",{children:["Of ",D(e.published)," messages that came, ",D(e.depth)," are here. The others left for these reasons:"]}),s("dl",{class:"facts",children:t.map(([n,o])=>s(q,{children:[s("dt",{children:n}),s("dd",{children:D(o)})]}))}),t.length===0&&s("p",{class:"muted",children:"None has left."})]})}function O6({queue:e}){let t=$(null),n=e.type==="lvq"?["key","key that is a number","sequence","message id"]:["sequence","message id"];return s("section",{class:"card","aria-labelledby":"became-heading",children:[s("h2",{id:"became-heading",children:"What became of a message?"}),s(W1,{action:"Ask",fields:[{name:"kind",label:"By its",kind:"choice",choices:n,value:n[0]??""},{name:"value",label:"Which",isRequired:!0}],onSubmit:async({kind:o,value:r})=>{let i=String(r);o==="key that is a number"?t.value={key:i,type:"integer"}:t.value={[String(o).replace(" ","_")]:i}}}),t.value&&s(S2,{queue:e.name,asked:t.value},JSON.stringify(t.value))]})}var H3={path:"queues/:queue",title:"Queue",inNavigation:!1,view:M6};var A6=120;function D6(){let{data:e,problem:t,refresh:n}=X("/store"),o=me(()=>new mt,[]),r=me(()=>({ms:[],took:[]}),[]),i=$(!1),l=e.value&&{...e.value,within:e.value.statistics.store_syncs_within};if(me(()=>{l&&(o.add(Date.now(),l.statistics.store_syncs??0),r.ms.push(Date.now()),r.took.push(l.statistics.store_last_sync_ms??0),r.ms.length>A6&&(r.ms.shift(),r.took.shift()))},[e.value]),!l)return t.value?s(se,{problem:t.value}):s(Pe,{});let{statistics:a,segments:d,snapshot:u}=l,f=m=>a[`store_${m}`]??0,g=f("syncs")?f("sync_ms")/f("syncs"):0,b=[["Size",Xe(f("bytes"))],["Segments",D(f("segments"))],["Free on the disk",Xe(f("free_bytes"))],["Waits to be written",Xe(f("waiting_bytes"))],["Syncs",u1(o.rate())],["A sync takes",`${g.toFixed(2)} ms`],["Half take up to",z3(l.within,.5)],["99 % take up to",z3(l.within,.99)]];return s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Store"}),s("div",{class:"actions",children:s("button",{type:"button",onClick:()=>i.value=!0,children:"Write a snapshot"})})]}),t.value&&s(se,{problem:t.value}),s("dl",{class:"figures",children:b.map(([m,_])=>s("div",{class:"figure",children:[s("dt",{children:m}),s("dd",{children:_})]},m))}),s("section",{class:"card",children:s(U1,{label:"Time of the last sync",timesMs:r.ms,lines:[{title:"last sync",colour:1,values:r.took}],written:m=>`${m.toFixed(1)} ms`})}),s($6,{snapshot:u}),s(ue,{caption:"Segments, the newest first",columns:[{name:"number",title:"Segment",cell:m=>m.number},{name:"bytes",title:"Size",isNumeric:!0,cell:m=>Xe(m.bytes)}],rows:d.slice(-200).reverse(),rowKey:m=>String(m.number),empty:"Nothing was written yet."}),i.value&&s(be,{title:"Write a snapshot",text:"A copy of the store as of one moment, from which `lastvalue serve --restore` starts.",action:"Begin",fields:[{name:"directory",label:"Directory on the broker's machine",isRequired:!0,help:"New or empty, below the directory that `serve --snapshots` names."}],onClose:()=>i.value=!1,onSubmit:async m=>{await Z("/store/snapshots",{method:"POST",body:m}),he("the snapshot has begun"),n()}})]})}function z3(e,t){let n=Object.entries(e??{}).map(([i,l])=>[Number(i),l]).sort((i,l)=>i[0]-l[0]),o=n.at(-1)?.[1]??0,r=n.find(([,i])=>i>=t*o);return o&&r?`${r[0]} ms`:"–"}function $6({snapshot:e}){if(e.state==="none")return null;let t=e.bytes?(e.written??0)/e.bytes:0;return s("section",{class:"card","aria-label":"The last snapshot",children:["Snapshot in ",s("code",{children:e.directory}),": ",s("span",{class:e.state==="failed"?"tag bad":"tag on",children:e.state})," ",e.state==="running"&&s("progress",{value:t,"aria-label":"Written"})," ",Xe(e.bytes)," ",e.reason,e.taken_ms?s("span",{class:"muted",children:[", as of ",Be(e.taken_ms)]}):"",e.state==="done"&&s("p",{children:["To start a broker from it: ",s("code",{children:["lastvalue serve --store NEW_DIRECTORY --restore ",e.directory]})]})]})}var U3={path:"store",title:"Store",inNavigation:!0,needs:"snapshot",view:D6};var j3=[{name:"password",label:"Password",kind:"password",isRequired:!0,autocomplete:"new-password"},{name:"again",label:"The password again",kind:"password",isRequired:!0,autocomplete:"new-password"}];function L6({query:e}){let t=wt("change-permissions"),n={user:e.get("user")??"",name:e.get("name")??"",destination:e.get("destination")??""};return s(q,{children:[t?s(N6,{asked:n}):s("div",{class:"page-head",children:s("h1",{children:"What you may do"})}),s(F6,{asked:n,isKeeper:t})]})}function N6({asked:e}){let{data:t,problem:n,refresh:o}=X("/users",5e3),r=$(null),i=(l,a,d)=>s("button",{type:"button",class:l==="delete"?"quiet danger":"quiet","aria-label":`${a} of ${d.user}`,disabled:l==="delete"&&d.user===Y1.value,title:l==="delete"&&d.user===Y1.value?"This is you":void 0,onClick:()=>r.value=[l,d],children:a});return s(q,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Users"}),s("div",{class:"actions",children:s("button",{type:"button",class:"primary",onClick:()=>r.value=["add",{user:"",rules:[]}],children:"Add a user"})})]}),n.value?s(se,{problem:n.value}):t.value?s(ue,{caption:"Users",isNarrow:!0,columns:[{name:"user",title:"User",cell:l=>l.user},{name:"rules",title:"Rules",cell:l=>l.rules.map(a=>s("code",{class:"rule",children:a},a))},{name:"actions",title:"Change",cell:l=>s("div",{class:"row-actions",children:[i("password","Password",l),i("rules","Rules",l),i("delete","Delete",l)]})}],rows:t.value.users,rowKey:l=>l.user,rowLink:l=>we(["users"],{...e,user:l.user}),empty:"The broker has no users file: whoever it lets in may do everything."}):s(Pe,{}),r.value&&s(q6,{kind:r.value[0],user:r.value[1],onClose:()=>r.value=null,onDone:o})]})}function q6({kind:e,user:t,onClose:n,onDone:o}){let r=t.user,i={name:"rules",label:"Rules, one a line",kind:"lines",value:t.rules.join(`
`),help:"Rights and names, such as `read,browse prices.*`; without a rule the user may do nothing"},l=async(a,d,u)=>{await Z(H(["users",a]),{method:"PUT",body:d}),he(u),o()};switch(e){case"add":return s(be,{title:"Add a user",action:"Add",fields:[{name:"name",label:"Name",isRequired:!0,autocomplete:"off"},...j3,i],onClose:n,onSubmit:a=>l(String(a.name),{password:B3(a),rules:K3(a)},`${a.name} may log in.`)});case"password":return s(be,{title:`Another password for ${r}`,text:"Open connections stay; new ones need the new password.",action:"Change",fields:j3,onClose:n,onSubmit:a=>l(r,{password:B3(a)},`The password of ${r} is another one.`)});case"rules":return s(be,{title:`Rules of ${r}`,action:"Change",fields:[i],onClose:n,onSubmit:a=>l(r,{rules:K3(a)},`The rules of ${r} hold.`)});case"delete":return s(be,{title:`Delete ${r}?`,text:"Connections of the user end within a second; queues and messages stay.",action:"Delete the user",isDangerous:!0,fields:[],onClose:n,onSubmit:async()=>{await Z(H(["users",r]),{method:"DELETE"}),he(`${r} was deleted.`),o()}})}}function B3({password:e,again:t}){if(e!==t)throw new Error("The two passwords differ");return e}function K3(e){return String(e.rules??"").split(`
`).map(t=>t.trim()).filter(Boolean)}function F6({asked:e,isKeeper:t}){let{data:n,problem:o}=X(H(["rights"],e),1e4),r=n.value?.user??"",i=[...t?[{name:"user",label:"May user",help:"you, if it is empty"}]:[],{name:"name",label:"with",help:"a queue, an exchange or an address"},{name:"destination",label:"and",help:"where to, of what is moved, copied or bound"}];return s("section",{class:"card","aria-labelledby":"rights-heading",children:[s("h2",{id:"rights-heading",children:["What ",e.user||"you"," may do"]}),s("div",{class:"question",children:i.map(({name:l,label:a,help:d})=>s("label",{class:"field",children:[s("span",{children:a}),s("input",{type:"text",defaultValue:e[l],autocomplete:"off",onChange:u=>w1(["users"],{...e,[l]:u.currentTarget.value})},e[l]),s("small",{class:"help",children:d})]},l))}),o.value?s(se,{problem:o.value}):s(ue,{isNarrow:!0,caption:`What is allowed to ${r||"the user"}`,columns:[{name:"allowed",title:"Allowed",cell:({allowed:l})=>s("span",{class:l?"tag on":"tag bad",children:l?"yes":"no"})},{name:"meaning",title:`May ${r}`,cell:l=>`${l.meaning}?`},{name:"lacks",title:"Right that is missing",cell:({lacks:l})=>s("code",{children:l})}],rows:n.value?.verbs??[],rowKey:l=>l.verb})]})}var Q3={path:"users",title:"Users",inNavigation:!0,needs:"change-permissions",view:L6};var Qn=[i3,Xa,H3,Qa,g3,Oa,Aa,Ra,d3,U3,ba,Q3,ka,qa];var I6=2e3,V6=15e3;function G3(){return On.value?s(Vi,{}):s("div",{class:"frame",children:[s("a",{class:"skip",href:"#main",onClick:e=>(e.preventDefault(),document.getElementById("main")?.focus()),children:"Skip to the content"}),s(H6,{}),s("main",{id:"main",tabIndex:-1,children:[!Dt.value&&s("p",{class:"banner",role:"alert",children:"The broker does not answer. The console goes on when it does."}),Y1.value===void 0?s(W6,{}):s(q,{children:[s(Di,{}),s(U6,{})]})]}),s($i,{})]})}function W6(){return re(()=>{let e=0,t=()=>{qi().catch(()=>e=window.setTimeout(t,I6))};return t(),()=>clearTimeout(e)},[]),s(Pe,{})}function H6(){z6();let e=$(!1),{segments:t}=wo.value,n=t[0]??Qn[0]?.path,o=ft.value==="dark"?"light":"dark";return s("header",{class:e.value?"sidebar open":"sidebar",children:[s("div",{class:"brand",children:[s("span",{children:"lastvalue"}),s("button",{type:"button",class:"plain menu","aria-label":"Menu","aria-expanded":e.value,onClick:()=>e.value=!e.value,children:s(R1,{name:"menu"})})]}),s("nav",{"aria-label":"Pages of the console",onClick:()=>e.value=!1,children:Qn.filter(r=>r.inNavigation&&(!r.needs||wt(r.needs))).map(r=>s("a",{href:we([r.path]),"aria-current":r.path===n?"page":void 0,children:r.title},r.path))}),s("div",{class:"foot",children:[Y1.value&&!wt("change-permissions")&&s("a",{class:"own-rights",href:we(["users"]),children:"What you may do"}),Y1.value&&s("button",{type:"button",class:"plain",title:"Log out",onClick:()=>Fi().catch(Xt),children:[s(R1,{name:"leave"}),s("span",{children:["Log out ",Y1.value]})]}),s("button",{type:"button",class:"plain",onClick:ga,children:[s(R1,{name:o==="light"?"sun":"moon"}),s("span",{children:o==="dark"?"Dark":"Light"})]})]})]})}function z6(){let e=Y1.value;re(()=>{if(e===void 0)return;let t=()=>{document.hidden||Ci().catch(()=>{})};t();let n=setInterval(t,V6);return()=>clearInterval(n)},[e])}function U6(){let{segments:e,query:t}=wo.value,n=e.length?e:[Qn[0]?.path??""],[o,r]=j6(n);if(re(()=>{document.title=o?`${n.length>1?n[1]:o.title} · lastvalue`:"lastvalue"}),!o)return s("div",{class:"notice",role:"alert",children:[s("strong",{children:"There is no such page"}),s("p",{children:s("a",{href:we([]),children:Qn[0]?.title})})]});let i=o.view;return s(i,{parameters:r,query:t},n.join("/"))}function j6(e){for(let t of Qn){let n=Ta(t.path,e);if(n)return[t,n]}return[null,{}]}oi(s(G3,{}),document.body);
