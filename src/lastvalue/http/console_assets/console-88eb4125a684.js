var f1,Ns,Qo,Pt,Ko,L2,$s,A2,Fs,Yo,Go,B3,n2=Symbol.for("pv"),N2={},$2=[],j3=/^m(i|n|o|s|text|space)$/,Jo=Array.isArray,Zo=$2.slice,Kt=Object.assign;function jt(e){e&&e.parentNode&&e.remove()}function qs(e,t,n){var o,r,l,i={},a=arguments.length;for(l in t)l=="key"?o=t[l]:l=="ref"&&typeof e!="function"?r=t[l]:i[l]=t[l];return a>2&&(i.children=a>3?Zo.call(arguments,2):n),t2(e,i,o,r,null)}function t2(e,t,n,o,r){var l={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:n2,__v:r||++Ns,__i:-1,__u:0};return!r&&f1.vnode&&f1.vnode(l),l}function I(e){return e.children}function Tn(e,t){this.props=e,this.context=t,this.__g=0}function Tt(e,t){if(t==null)return e.__&&Tt(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Tt(e)}function K3(e){var t,n=e.__v,o=n.__e,r=[],l=[],i=e.__P;i&&((t=Kt({constructor:n2},n)).__v=n.__v+1,f1.vnode&&f1.vnode(t),Xo(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||Tt(n),32&n.__u,l),t.__v=n.__v,t.__.__k[t.__i]=t,Us(r,t,l),n.__=n.__e=null,t.__e!=o&&Vs(t))}function Vs(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Vs(e)}function Os(e){(8&e.__g||(e.__g|=8,Pt.push(e),L2++))&&Ko==f1.debounceRendering||((Ko=f1.debounceRendering)||queueMicrotask)(Is)}function Is(){try{for(var e,t=1;Pt.length;)Pt.length>t&&Pt.sort($s),e=Pt.shift(),t=Pt.length,8&e.__g&&K3(e)}finally{(L2=Pt.length)&&(Ko||queueMicrotask)(Is)}}function Ws(e,t,n,o,r,l,i,a,f,c,p){var h,b,g,w,P,k,T=o.__k||$2,y=t.length;for(f=G3(n,t,T,f,y),h=0;h<y;h++)(g=n.__k[h])!=null&&(b=~g.__i&&T[g.__i]||N2,g.__i=h,k=Xo(e,g,b,r,l,i,a,f,c,p),w=g.__e,(b.ref!=g.ref||8&b.__u)&&(b.ref&&er(b.ref,null,g,b),g.ref&&p.push(g.ref,g.__c||w,g)),P=P||w,4&g.__u?(f=zs(g,f,e,!b.__v),b.__e&&(b.__e=null)):typeof g.type=="function"&&k!==void 0?f=k:w&&(f=w.nextSibling),g.__u&=-21);return n.__e=P,f}function G3(e,t,n,o,r){var l,i,a,f,c,p,h,b,g,w=n.length,P=w,k=0,T=0,y=e.__k=Array(r);for(l=0;l<r;l++)(i=t[l])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=y[l]=t2(null,i):Jo(i)?i=y[l]=t2(I,{children:i}):i.constructor===n2&&i.__b?i=y[l]=t2(i.type,i.props,i.key,i.ref,i.__v):y[l]=i,f=l+k,i.__=e,i.__b=e.__b+1,a=null,~(c=i.__i=Q3(i,n,f,P))&&(P--,(a=n[c])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,c==f-1?k--:c==f+1?k++:c!=f&&(c>f?k--:k++,T=1)):(~c||(r>w?k--:r<w&&k++),typeof i.type!="function"&&(i.__u|=4))):y[l]=null;if(T){for(p=[],h=[],l=0;l<r;l++)if((i=y[l])&&16&i.__u){for(k=0,b=p.length;k<b;)p[g=k+b>>1]<i.__i?k=g+1:b=g;p[k]=i.__i,h[l]=k+1}for(k=p.length;l--;)h[l]&&(h[l]==k?k--:y[l].__u|=4)}if(P)for(l=0;l<w;l++)!(a=n[l])||2&a.__u||(a.__e==o&&(o=Tt(a)),tr(a,a));return o}function zs(e,t,n,o){var r,l,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(l=0;l<r.length;l++)r[l]&&(r[l].__=e,t=zs(r[l],t,n,!1));return t}for(t&&!t.parentNode&&(t=Tt(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Q3(e,t,n,o){var r,l=e.key,i=e.type,a=t[n],f=a&&!(2&a.__u);if(a===null&&l==null||f&&l==a.key&&i==a.type)return n;if(o>(f?1:0)){for(r=n-1;r>=0;r--)if((a=t[r])&&!(2&a.__u)&&l==a.key&&i==a.type)return r;for(r=n+1;r<t.length;r++)if((a=t[r])&&!(2&a.__u)&&l==a.key&&i==a.type)return r}return-1}function Ls(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function D2(e,t,n,o,r){var l,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Ls(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Ls(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=Go[t]||(Go[t]=Y3(t)),(e.__a||(e.__a={}))[t]=Yo,l=t!=(t=t.replace(Fs,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,l):e.removeEventListener(t,i,l));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Y3(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[A2]==null)t[A2]=Yo++;else if(t[A2]<this.__a[e])return;return n(f1.event?f1.event(t):t)}}}function Xo(e,t,n,o,r,l,i,a,f,c){var p,h,b,g,w,P,k,T,y,C,S,W,A,Q,U,r1,G,D,Y=t.type;if(t.constructor!==n2)return null;128&n.__u&&(f=32&n.__u,p=n.__c.__z)&&(t.__u|=f,h=l=[],p.nodeType==8?a=O2(p,l):l.push(p),a=l[0]||a),(p=f1.__b)&&p(t);e:if(typeof Y=="function"){b=i.length;try{if(T=t.props,y=(p=Y.prototype)&&p.render,C=(p=Y.contextType)&&o[p.__c],S=p?C?C.props.value:p.__:o,(g=n.__c)?(t.__c=g,2&g.__g&&(g.__g|=1)):(y?t.__c=g=new Y(T,S):(t.__c=g=new Tn(T,S),g.constructor=Y,g.render=Z3),C&&C.sub(g),g.state||(g.state={}),g.__n=o,g.__g|=8,g.__h=[],g.__k=[]),y&&(g.__s||(g.__s=g.state),Y.getDerivedStateFromProps&&(g.__s==g.state&&(g.__s=Kt({},g.__s)),Kt(g.__s,Y.getDerivedStateFromProps(T,g.__s)))),w=g.props,P=g.state,g.__v=t,n.__c){if(T!==w&&y&&!Y.getDerivedStateFromProps&&g.componentWillReceiveProps&&g.componentWillReceiveProps(T,S),t.__v==n.__v&&!(8&g.__g)||!(4&g.__g)&&g.shouldComponentUpdate&&g.shouldComponentUpdate(T,g.__s,S)===!1){t.__v!=n.__v&&(g.props=T,g.state=g.__s,g.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(L){L&&(L.__=t)}),$2.push.apply(g.__h,g.__k),g.__k=[],g.__h.length&&i.push(g),a=Tt(n);break e}g.componentWillUpdate&&g.componentWillUpdate(T,g.__s,S),y&&g.componentDidUpdate&&g.__h.push(function(){g.componentDidUpdate(w,P,k)})}else y&&!Y.getDerivedStateFromProps&&g.componentWillMount&&g.componentWillMount(),y&&g.componentDidMount&&g.__h.push(g.componentDidMount);g.context=S,g.props=T,g.__P=e,g.__g&=-5,W=f1.__r,A=y?25:0;do g.__g&=-9,W&&W(t),p=g.render(g.props,g.state=g.__s,g.context);while(8&g.__g&&++A<25);y&&($2.push.apply(g.__h,g.__k),g.__k=[]),g.state=g.__s,g.getChildContext&&(o=Kt({},o,g.getChildContext())),y&&n.__c&&g.getSnapshotBeforeUpdate&&(k=g.getSnapshotBeforeUpdate(w,P)),Q=p&&p.type===I&&p.key==null?p.props.children:p,T.__P&&(p=a,r=(e=T.__P).namespaceURI,f=l=null,n.props&&n.props.__P!=e&&(n.__k.some(function(L){L&&tr(L,L)}),n.__k=null),a=n.__k?Tt(n,0):null),a=Ws(e,Jo(Q)?Q:[Q],t,n,o,r,l,i,a,f,c),T.__P&&(t.__e=null,a=p),t.__u&=-161,h&&h.some(jt),g.__h.length&&i.push(g),1&g.__g&&(g.__g&=-4)}catch(L){if(i.length=b,t.__v=null,f||l)if(L&&L.then){if(t.__u|=128|f,l){for(~(G=l.indexOf(a||void 0))||(G=l.length);(D=l[G-1])&&D.nodeType==8;)G--;for(;G<l.length;G++)if(D=l[G])if(l[G]=null,U){if(D==r1)break}else{if(D.nodeType!=8)break;D.data.startsWith("$s")&&(r1=O2(U=D))}}if(!U){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;U=a}(p=O2(U=t.__c.__z||(t.__c.__z=U)))?(t.__e=U,a=p):t.__e=a,a=a&&a.nextSibling}else l&&l.some(jt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),L&&L.then||Hs(t),f1.__e(L,t,n)}}else a=t.__e=J3(n.__e,t,n,o,r,l,i,f,c,e);return(p=f1.diffed)&&p(t),a}function O2(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Hs(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Hs))}function Us(e,t,n){for(var o=0;o<n.length;)er(n[o++],n[o++],n[o++]);f1.__c&&f1.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(l){l.call(r)})}catch(l){f1.__e(l,r.__v)}})}function J3(e,t,n,o,r,l,i,a,f,c){var p,h,b,g,w,P,k,T,y=n.props||N2,C=t.props,S=t.type;if(S=="svg"?r="http://www.w3.org/2000/svg":S=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),l){for(p=0;p<l.length;p++)if((w=l[p])&&(S?w.localName==S:w.nodeType==3)){e=w,l[p]=null;break}}if(!e){if(T=c.ownerDocument||document,!S)return T.createTextNode(C);e=T.createElementNS(r,S,C.is?C:c),a&&(f1.__m&&f1.__m(t,l),a=!1),l=null}if(S){if(c=S=="template"&&e.content||e,l=S=="textarea"&&C.defaultValue!=null?null:l&&Zo.call(c.childNodes),!a&&l)for(y={},p=0;p<e.attributes.length;p++)y[(w=e.attributes[p]).name]=w.value;for(p in y)w=y[p],p=="dangerouslySetInnerHTML"?b=w:p=="children"||p in C||p=="value"&&"defaultValue"in C||p=="checked"&&"defaultChecked"in C||D2(e,p,null,w,r);for(p in C)w=C[p],p=="children"?g=w:p=="dangerouslySetInnerHTML"?h=w:p=="value"?P=w:p=="checked"?k=w:a&&typeof w!="function"||y[p]===w||D2(e,p,w,y[p],r);h?(a||b&&(h.__html==b.__html||h.__html==e.innerHTML)||(e.innerHTML=h.__html),t.__k=[]):(b&&(e.textContent=""),(S=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&j3.test(S))&&(r="http://www.w3.org/1999/xhtml"),Ws(c,Jo(g)?g:[g],t,n,o,r,l,i,l?l[0]:n.__k&&Tt(n,0),a,f),l&&l.some(jt)),a&&S!="textarea"||(p="value",S=="progress"&&P==null?e.removeAttribute(p):P==null||P===e[p]&&(S!="progress"||P)||D2(e,p,P,y[p],r),p="checked",k!=null&&k!=e[p]&&D2(e,p,k,y[p],r))}else y===C||a&&e.data==C||(e.data=C);return e}function er(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){f1.__e(r,n)}}function tr(e,t,n){var o,r,l,i;if(f1.unmount&&f1.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||er(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){f1.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&tr(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=O2(o,l=[]))&&(o==e.__e&&l.some(jt),jt(r),jt(o)),n||jt(e.__e),e.__e=e.__c=e.__=null}function Z3(e,t,n){return this.constructor(e,n)}function Bs(e,t){var n,o,r,l;f1.__&&f1.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=t2(I,{children:[e]}),r=[],l=[],Xo(t,t.__k,o||N2,N2,t.namespaceURI,o?null:t.firstChild?Zo.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,l),Us(r,t.__k,l),t.__k.props.children=null}f1={__e:function(e,t,n,o){for(var r,l,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(l=r.constructor)&&l.getDerivedStateFromError)&&r.setState(l.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(a){e=a}}throw L2=0,e}},Ns=0,Qo=function(e){return e!=null&&e.constructor===n2},Tn.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Kt({},this.state)),typeof e=="function"&&(e=e(Kt({},n),this.props)),e&&(Kt(n,e),this.__v&&(t&&this.__k.push(t),Os(this)))},Tn.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Os(this))},Tn.prototype.render=I,Pt=[],L2=0,$s=function(e,t){return e.__v.__b-t.__v.__b},A2=Symbol(),Fs=/(PointerCapture)$|Capture$/i,Yo=0,Go={},B3=0;var r2,he,nr,js,X3=Object.is,or=0,ti=[],rr=[],B1=f1,Ks=B1.__b,Gs=B1.__r,Qs=B1.diffed,Ys=B1.__c,Js=B1.unmount,Zs=B1.__;function ir(e,t){B1.__h&&B1.__h(he,e,or||t),or=0;var n=he.__H||(he.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function l1(e,t){var n=ir(r2++,3);!B1.__s&&ni(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,he.__H.__h.push(n))}function se(e){return or=5,y1(function(){return{current:e}},[])}function y1(e,t){var n=ir(r2++,7);return ni(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function F2(){var e=ir(r2++,11);if(!e.__){for(var t=he.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function e0(){var e;do{for(;e=rr.shift();)try{o2(e)}catch(n){B1.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=ti.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(o2),t.__h.some(sr),t.__h=[]}catch(n){t.__h=[],B1.__e(n,e.__v)}}}while(rr.length)}B1.__b=function(e){he=null,Ks&&Ks(e)},B1.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Zs&&Zs(e,t)},B1.__r=function(e){Gs&&Gs(e),r2=0;var t=(he=e.__c).__H;t&&(nr==he?he.__h=[]:(t.__h.some(o2),t.__h.some(sr),r2=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),nr=he},B1.diffed=function(e){Qs&&Qs(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&ei(ti.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),nr=he=null},B1.__c=function(e,t){t.some(function(n){try{n.__h.some(o2),n.__h=n.__h.filter(function(o){return!o.__||sr(o)})}catch(o){n.__h=[function(){throw o}]}}),Ys&&Ys(e,t)},B1.unmount=function(e){Js&&Js(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,ei(rr.push(r))}else o2(r)}catch(l){t=l}}),o.__H=void 0,t&&B1.__e(t,o.__v))};var Xs=typeof requestAnimationFrame=="function";function t0(e){var t,n=function(){clearTimeout(o),Xs&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Xs&&(t=requestAnimationFrame(n))}function ei(e){e!=1&&js==B1.requestAnimationFrame||((js=B1.requestAnimationFrame)||t0)(e0)}function o2(e){var t=he,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),he=t}function sr(e){var t=he;e.__c=e.__(),he=t}function ni(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!X3(n,e[o])})}var n0=Symbol.for("preact-signals");function W2(){if(dt>1)dt--;else{var e,t=!1;for((function(){var r=V2;for(V2=void 0;r!==void 0;){var l=r.S;if(l.v===r.v)for(var i=l.t;i!==void 0;i=i.x)i.i===r.i&&(i.i=l.i);r=r.o}})();i2!==void 0;){var n=i2;for(i2=void 0,q2++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&ri(n))try{n.c()}catch(r){t||(e=r,t=!0)}n=o}}if(q2=0,dt--,t)throw e}}function ar(e){if(dt>0)return e();lr=++o0,dt++;try{return e()}finally{W2()}}var s2,q1=void 0;function l2(e){var t=q1,n=s2;q1=void 0,s2=void 0;try{return e()}finally{q1=t,s2=n}}var i2=void 0,dt=0,q2=0,o0=0,lr=0,V2=void 0,I2=0;function oi(e){if(q1!==void 0){var t=e.n;if(t===void 0||t.t!==q1)return t={i:0,S:e,p:q1.s,n:void 0,t:q1,e:void 0,x:void 0,r:t},q1.s!==void 0&&(q1.s.n=t),q1.s=t,e.n=t,32&q1.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=q1.s,t.n=void 0,q1.s.n=t,q1.s=t),t}}function Q1(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Q1.prototype.brand=n0;Q1.prototype.h=function(){return!0};Q1.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:l2(function(){var o;(o=t.W)==null||o.call(t)}))};Q1.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&l2(function(){var r;(r=t.Z)==null||r.call(t)}))}};Q1.prototype.subscribe=function(e){var t=this;return pt(function(){var n=t.value;l2(function(){return e(n)})},{name:"sub"})};Q1.prototype.valueOf=function(){return this.value};Q1.prototype.toString=function(){return this.value+""};Q1.prototype.toJSON=function(){return this.value};Q1.prototype.peek=function(){var e=this;return l2(function(){return e.value})};Object.defineProperty(Q1.prototype,"value",{get:function(){var e=oi(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(q2>100)throw new Error("Cycle detected");(function(n){dt!==0&&q2===0&&n.l!==lr&&(n.l=lr,V2={S:n,v:n.v,i:n.i,o:V2})})(this),this.v=e,this.i++,I2++,dt++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{W2()}}}});function d1(e,t){return new Q1(e,t)}function ri(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function si(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function ii(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function Gt(e,t){Q1.call(this,void 0,t),this.x=e,this.s=void 0,this.g=I2-1,this.f=4}Gt.prototype=new Q1;Gt.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===I2))return!0;if(this.g=I2,this.f|=1,this.i>0&&!ri(this))return this.f&=-2,!0;var e=q1;try{si(this),q1=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return q1=e,ii(this),this.f&=-2,!0};Gt.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Q1.prototype.S.call(this,e)};Gt.prototype.U=function(e){if(this.t!==void 0&&(Q1.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Gt.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Gt.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=oi(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function ot(e,t){return new Gt(e,t)}function li(e){var t=e.j;if(e.j=void 0,typeof t=="function"){dt++;var n=q1;q1=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,ur(e),o}finally{q1=n,W2()}}}function ur(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,li(e)}function r0(e){if(q1!==this)throw new Error("Out-of-order effect");ii(this),q1=e,this.f&=-2;try{8&this.f&&ur(this)}finally{W2()}}function Mn(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,s2&&s2.push(this)}Mn.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Mn.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,li(this),si(this),dt++;var e=q1;return q1=this,r0.bind(this,e)};Mn.prototype.N=function(){2&this.f||(this.f|=2,this.u=i2,i2=this)};Mn.prototype.d=function(){this.f|=8,1&this.f||ur(this)};Mn.prototype.dispose=function(){this.d()};function pt(e,t){var n=new Mn(e,t);try{n.c()}catch(r){throw n.d(),r}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var ai,H2,z2,s0=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var ui=[];pt(function(){ai=this.N})();function Cn(e,t){f1[e]=t.bind(null,f1[e]||function(){})}function a2(e){if(z2){var t=z2;z2=void 0,t()}z2=e&&e.S()}function ci(e){var t=this,n=e.data,o=$(n);o.name="ReactiveDom",o.value=n;var r=y1(function(){for(var a=t,f=t.__v;f=f.__;)if(f.__c){f.__c.__$f|=4;break}var c=ot(function(){var g=o.value.value;return g===0?0:g===!0?"":g||""}),p=ot(function(){return!Array.isArray(c.value)&&!Qo(c.value)}),h=pt(function(){if(this.N=fi,p.value){var g=c.value;a.__v&&a.__v.__e&&a.__v.__e.nodeType===3&&(a.__v.__e.data=g)}}),b=t.__$u.d;return t.__$u.d=function(){h(),b.call(this)},[p,c]},[]),l=r[0],i=r[1];return l.value?i.peek():i.value}ci.displayName="ReactiveTextNode";Object.defineProperties(Q1.prototype,{constructor:{configurable:!0,value:qs(I,null).constructor},type:{configurable:!0,value:ci},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});Cn("__b",function(e,t){if(a2(),H2=void 0,typeof t.type=="string"){var n,o=t.props;for(var r in o)if(r!=="children"){var l=o[r];l instanceof Q1&&(n||(t.__np=n={}),n[r]=l,o[r]=l.peek())}}e(t)});Cn("__r",function(e,t){if(e(t),t.type!==I){a2();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(r,l){var i;return pt(function(){i=this},{name:l}),i.c=r,i})((function(r){return function(){var l;s0&&((l=this.y)==null||l.call(this)),r.__$f|=1,r.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),H2=o,a2(n)}});Cn("__e",function(e,t,n,o){a2(),H2=void 0,e(t,n,o)});Cn("diffed",function(e,t){a2(),H2=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,r=t.props,l=n.U;if(l)for(var i in l){var a=l[i];a===void 0||o&&i in o||(a.d(),l[i]=void 0)}if(o){l||(l={},n.U=l);for(var f in o){var c=l[f],p=o[f];c===void 0?(c=i0(n,f,p,r),l[f]=c):c.o(p,r)}}}e(t)});function i0(e,t,n,o){var r=t in e&&e.ownerSVGElement===void 0,l=d1(n);return{o:function(i,a){l.value=i,o=a},d:pt(function(){this.N=fi;var i=l.value.value;o[t]!==i&&(o[t]=i,r?e[t]=i:i!=null&&(i!==!1||t[4]==="-")?e.setAttribute(t,i):e.removeAttribute(t))})}}Cn("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var r in o){var l=o[r];l&&l.d()}}}var i=t.__np;if(i){var a=t.props;for(var f in i)a[f]=i[f]}t.__np=void 0}else{var c=t.__c;if(c){c.__$f|=8;var p=c.__$u;p&&(c.__$u=void 0,p.d())}}e(t)});Cn("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});Tn.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var r in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var l=2&this.__$f;if(!(o||l||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var i in e)if(i!=="__source"&&e[i]!==this.props[i])return!0;for(var a in this.props)if(!(a in e))return!0;return!1};function $(e,t){return y1(function(){return d1(e,t)},[])}var l0=function(e){queueMicrotask(function(){queueMicrotask(e)})};function a0(){ar(function(){for(var e;e=ui.shift();)ai.call(e)})}function fi(){ui.push(this)===1&&(f1.requestAnimationFrame||l0)(a0)}var V1=class extends Error{constructor(n,o,r=new Map){super(o);this.status=n;this.detail=o;this.fields=r;this.name="Problem"}status;detail;fields;get isOfNothing(){return this.status===404||this.status===410}get isUnreachable(){return this.status===0||this.status===502||this.status===503||this.status===504}},Mt=d1(!0),Rn=d1(!1),U2={headers:{}},u0=12e4,c0=location.pathname.replace(/console\/[^/]*$/,"");async function cr(e,t={}){let n=t.method??"GET",o={...n==="GET"?{}:U2.headers,...t.headers};t.body!==void 0&&(o["Content-Type"]="application/json");let r;try{r=await fetch(c0+e.slice(1),{method:n,headers:o,body:t.body===void 0?null:JSON.stringify(t.body),signal:t.signal??null,cache:"no-store",credentials:"same-origin"})}catch(i){throw t.signal?.aborted?i:(Mt.value=!1,new V1(0,"the gateway does not answer"))}if(r.ok||r.status===304)return Mt.value=!0,r;let l=await f0(r);throw Mt.value=!l.isUnreachable,l.status===401&&(Rn.value=!0),l}async function t1(e,t={}){let n=new AbortController,o=()=>n.abort(),r=setTimeout(o,u0);t.signal?.addEventListener("abort",o,{once:!0}),t.signal?.aborted&&o();try{let l=await cr(e,{...t,signal:n.signal});return l.status===204?void 0:await l.json()}catch(l){throw!n.signal.aborted||t.signal?.aborted?l:(Mt.value=!1,new V1(0,"the gateway does not answer"))}finally{clearTimeout(r),t.signal?.removeEventListener("abort",o)}}function K(e,t={}){let n=new URLSearchParams;for(let[r,l]of Object.entries(t))l!=null&&l!==""&&n.append(r,String(l));let o=`/${e.map(encodeURIComponent).join("/")}`;return n.size?`${o}?${n}`:o}function ge(e){return e instanceof Error?e.message:String(e)}async function f0(e){let t=`${e.status} ${e.statusText}`.trim();try{let n=await e.json(),o=new Map((n.errors??[]).map(r=>[r.field,r.fault]));return new V1(e.status,n.detail??t,o)}catch{return new V1(e.status,t)}}var d0=Symbol.for("pv"),p0=0;function s(e,t,n,o,r,l){t||(t={});var i,a,f=t;if("ref"in f&&typeof e!="function")for(a in f={},t)a=="ref"?i=t[a]:f[a]=t[a];var c={type:e,props:f,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:d0,__v:--p0,__i:-1,__u:0};return(r||l)&&(c.__source=r,c.__self=l),f1.vnode&&f1.vnode(c),c}var m0={left:"M10 3 5 8l5 5",right:"m6 3 5 5-5 5",sun:"M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",moon:"M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z",pin:"M6 2h4l-.5 5 2.5 2.5H4L6.500 7 6 2ZM8 9.500V14",leave:"M6 3H3v10h3M7 8h6M10.500 5 13.500 8l-3 3",menu:"M2 4h12M2 8h12M2 12h12"};function mt({name:e}){return s("svg",{class:"icon",viewBox:"0 0 16 16",width:"16",height:"16","aria-hidden":"true",focusable:"false",children:s("path",{d:m0[e],fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round","stroke-linejoin":"round"})})}function T1(){return s("p",{class:"notice",children:"Asking the broker …"})}function o1({problem:e}){return s("div",{class:"notice",role:"alert",children:[s("strong",{children:h0(e)}),s("p",{children:e.detail})]})}function h0(e){return e.isUnreachable?"No answer":e.isOfNothing?"Not found":e.status===403?"Not allowed":"Not possible"}var u2=d1([]),g0=5e3,v0=12e3,b0=0;function P1(e){pi(e,!1)}function Qt(e){pi(ge(e),!0)}async function B2(e,t){try{await t()}catch(n){return Qt(n),!1}return P1(e),!0}function di(){return s("div",{class:"toasts",role:"status","aria-live":"polite",children:u2.value.map(({id:e,text:t,isError:n})=>s("div",{class:n?"toast error":"toast",children:[s("span",{children:t}),s("button",{type:"button",class:"plain","aria-label":"Dismiss",onClick:()=>mi(e),children:"×"})]},e))})}function pi(e,t){let n=++b0;u2.value=[...u2.value.slice(-3),{id:n,text:e,isError:t}],setTimeout(mi,t?v0:g0,n)}function mi(e){u2.value=u2.value.filter(t=>t.id!==e)}function Ct({title:e,onClose:t,isDrawer:n=!1,children:o}){let r=se(null),l=F2();return l1(()=>{r.current?.showModal()},[]),s("dialog",{ref:r,class:n?"drawer":"dialog","aria-labelledby":l,onClose:t,onClick:i=>i.target===r.current&&r.current?.close(),children:s("div",{class:"dialog-content",children:[s("header",{children:[s("h2",{id:l,children:e}),s("button",{type:"button",class:"plain","aria-label":"Close",onClick:()=>r.current?.close(),children:"×"})]}),o]})})}function rt({fields:e,action:t,isDangerous:n=!1,onSubmit:o}){let r=$(new Map),l=$(""),i=$(!1),a=F2();return s("form",{class:"form",onSubmit:async c=>{c.preventDefault();let p=_0(e,c.currentTarget);if(r.value=p.faults,l.value="",!p.faults.size){i.value=!0;try{await o(p.answers)}catch(h){h instanceof V1&&(r.value=h.fields),l.value=ge(h)}finally{i.value=!1}}},noValidate:!0,children:[e.map(c=>s(y0,{field:c,id:`${a}-${c.name}`,fault:r.value.get(c.name)},c.name)),l.value&&s("p",{class:"fault",role:"alert",children:l.value}),s("div",{class:"form-actions",children:s("button",{type:"submit",class:n?"danger":"primary",disabled:i.value,children:t})})]})}function M1({title:e,text:t,onClose:n,onSubmit:o,...r}){return s(Ct,{title:e,onClose:n,children:[t&&s("p",{children:t}),s(rt,{...r,onSubmit:async l=>{await o(l),n()}})]})}function y0({field:e,id:t,fault:n}){let{name:o,label:r,kind:l="text",help:i,value:a,isRequired:f,isReadOnly:c}=e,p=[i&&`${t}-help`,n&&`${t}-fault`].filter(Boolean).join(" "),h={id:t,name:o,required:f??!1,"aria-invalid":n!==void 0,...p?{"aria-describedby":p}:{}},b=typeof a=="string"?a:"",g={autocomplete:e.autocomplete??"off",readOnly:c??!1,defaultValue:b};return s("div",{class:l==="checkbox"?"field checkbox":"field",children:[s("label",{for:t,children:r}),l==="choice"?s("select",{...h,value:b,children:(e.choices??[]).map(w=>s("option",{value:w,selected:w===b,children:w},w))}):l==="lines"||l==="json"?s("textarea",{...h,rows:l==="json"?8:4,spellcheck:!1,readOnly:c,defaultValue:b}):l==="password"?s("input",{...h,type:"password",...g}):l==="checkbox"?s("input",{...h,type:"checkbox",defaultChecked:a===!0}):s("input",{...h,type:"text",inputMode:l==="number"?"decimal":"text",...g}),i&&s("small",{id:`${t}-help`,class:"help",children:i}),n&&s("small",{id:`${t}-fault`,class:"fault",children:n})]})}function _0(e,t){let n={},o=new Map;for(let{name:r,kind:l="text",isRequired:i}of e){let a=t.elements.namedItem(r);if(l==="checkbox"){n[r]=a.checked;continue}let f=l==="password"||l==="lines"?a.value:a.value.trim();if(f===""){i&&o.set(r,"this is needed");continue}try{n[r]=l==="number"?w0(f):l==="json"?JSON.parse(f):f}catch(c){o.set(r,ge(c))}}return{answers:n,faults:o}}function w0(e){let t=Number(e);if(!Number.isFinite(t))throw new Error(`${e} is no number`);return t}function s1(e,t=2e3){let n=y1(()=>({data:d1(),problem:d1(null),now:()=>{}}),[]);return l1(()=>{if(e===null)return;let o=new AbortController,r=0,l=!1,i=async()=>{if(clearTimeout(r),l)return;l=!0;let f=performance.now();try{if(!document.hidden){let c=await t1(e,{signal:o.signal});if(o.signal.aborted)return;n.data.value=c,n.problem.value=null}}catch(c){if(o.signal.aborted)return;n.problem.value=c instanceof V1?c:new V1(0,String(c))}finally{l=!1}r=window.setTimeout(i,Math.max(t,4*(performance.now()-f)))},a=()=>{document.hidden||i()};return n.now=()=>{i()},document.addEventListener("visibilitychange",a),i(),()=>{o.abort(),clearTimeout(r),document.removeEventListener("visibilitychange",a)}},[e,t]),y1(()=>({data:n.data,problem:n.problem,refresh:()=>n.now()}),[])}var x0=15e3,j2=d1(),hi=ot(()=>j2.value?.follows??null);async function gi(){j2.value=await t1(K(["rights"]))}function vi(){j2.value=void 0}function c2(e){return bi(j2.value,e,!1)===""}function st(e){let{data:t}=s1(K(["rights"],{name:e}),x0);return n=>bi(t.value,n,!0)}function ht(){return hi.value===null?"":yi(hi.value)}function bi(e,t,n){let o=e?.verbs.find(r=>r.verb===t);return!e||!o?"":o.allowed?n&&o.needs_leader&&e.follows!==null?yi(e.follows):"":`This needs the right ${o.lacks}`}function yi(e){return`This broker follows ${e||"another one"}, which makes changes`}var Rt=d1(void 0);async function _i(){xi(await t1("/session"))}async function fr(e){try{xi(await t1("/session",{method:"POST",body:e}))}catch(t){throw!(t instanceof V1)||t.status!==401?t:new Error("token"in e?"The token is wrong or has expired":"Wrong user or password")}}async function wi(){await t1("/session",{method:"DELETE"}),U2.headers={},vi(),Rt.value=void 0,Rn.value=!0}function xi(e){U2.headers=e.csrf_token?{[e.csrf_header]:e.csrf_token}:{},Rt.value=e.user,Rn.value=!1}function ki(){let e=$(!1);return s("main",{class:"login",children:[s("h1",{children:"lastvalue"}),e.value?s(rt,{action:"Log in",fields:[{name:"token",label:"Token",kind:"password",isRequired:!0}],onSubmit:({token:t})=>fr({token:t})},"token"):s(rt,{action:"Log in",fields:[{name:"user",label:"User",isRequired:!0,autocomplete:"username"},{name:"password",label:"Password",kind:"password",isRequired:!0,autocomplete:"current-password"}],onSubmit:({user:t,password:n})=>fr({user:t,password:n})},"password"),s("button",{type:"button",class:"plain muted",onClick:()=>e.value=!e.value,children:e.value?"Log in with a password":"Log in with a token"})]})}function _1(e){let{caption:t,columns:n,rows:o,rowKey:r,rowLink:l,sort:i="",onSort:a,empty:f="Nothing is here."}=e;return s("div",{class:"table-frame",tabIndex:0,role:"region","aria-label":t,children:s("table",{children:[s("caption",{class:"unseen",children:t}),s("thead",{children:s("tr",{children:n.map(c=>s(k0,{column:c,sort:i,onSort:a},c.name))})}),s("tbody",{children:[o.map(c=>s("tr",{children:n.map((p,h)=>s("td",{class:p.isNumeric?"number":void 0,children:h===0&&l?s("a",{href:l(c),children:p.cell(c)}):p.cell(c)},p.name))},r(c))),o.length===0&&s("tr",{children:s("td",{class:"empty",colSpan:n.length,children:f})})]})]})})}function k0({column:e,sort:t,onSort:n}){let{name:o,title:r,isNumeric:l,isSortable:i,help:a}=e,f=t===o,c=t===`-${o}`,p=f?"ascending":c?"descending":"none",h=f||l&&!c?`-${o}`:o;return s("th",{scope:"col",class:l?"number":void 0,"aria-sort":i?p:void 0,title:a,children:i&&n?s("button",{type:"button",class:"plain",onClick:()=>n(h),children:[r,s("span",{class:"order","aria-hidden":"true",children:f?"▲":c?"▼":""})]}):r||s("span",{class:"unseen",children:o})})}function K2({offset:e,rows:t,total:n,onPrevious:o,onNext:r}){return s("nav",{class:"pager","aria-label":"Pages",children:[s("button",{type:"button",onClick:o,disabled:!o,"aria-label":"Previous page",children:s(mt,{name:"left"})}),s("span",{children:[t?`${e+1}–${e+t}`:"0",n===void 0?"":` of ${n.toLocaleString("en")}`]}),s("button",{type:"button",onClick:r,disabled:!r,"aria-label":"Next page",children:s(mt,{name:"right"})})]})}var Pi=new Intl.NumberFormat("en",{maximumFractionDigits:0}),I6=new Intl.NumberFormat("en",{notation:"compact",maximumSignificantDigits:3}),Si=["B","KiB","MiB","GiB","TiB"],G2="–";function V(e){return e===void 0?G2:Pi.format(e)}function ue(e){return e===void 0?G2:`${e>0&&e<10?e.toFixed(1):Pi.format(e)}/s`}function ve(e){if(e===void 0)return G2;let t=0,n=e;for(;n>=1024&&t<Si.length-1;t++)n/=1024;return`${t===0||n>=100?Math.round(n):n.toFixed(1)} ${Si[t]}`}function H1(e){if(e===void 0)return G2;if(e<1e3)return`${Math.max(0,Math.round(e))} ms`;let t=e/1e3;if(t<60)return`${t.toFixed(t<10?1:0)} s`;let n=Math.floor(t/60);if(n<60)return`${n} min ${Math.floor(t%60)} s`;let o=Math.floor(n/60);return o<48?`${o} h ${n%60} min`:`${Math.floor(o/24)} d ${o%24} h`}function Ve(e){return new Date(e-new Date(e).getTimezoneOffset()*6e4).toISOString().slice(0,23).replace("T"," ")}function Z(e){return e===void 0?"":typeof e=="string"?e:JSON.stringify(e)}function S0(){let{data:e,problem:t,refresh:n}=s1("/cluster"),o=$(!1),r=e.value;if(!r&&t.value?.status===409)return s(P0,{why:t.value.detail});if(!r)return t.value?s(o1,{problem:t.value}):s(T1,{});let l=r.role==="leader",i=[["This broker is",l?"the leader":"a follower"],["Leader",r.leader||"not known yet"],["Term",V(r.term)]];return l||i.push(["Behind",H1(r.lag_ms??0)],["Records to apply",V(r.lag_records??0)]),s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Cluster"}),l&&s("div",{class:"actions",children:s("button",{type:"button",onClick:()=>o.value=!0,children:"Step down"})})]}),t.value&&s(o1,{problem:t.value}),s("dl",{class:"figures",children:i.map(([a,f])=>s("div",{class:"figure",children:[s("dt",{children:a}),s("dd",{children:f})]},a))}),l&&s(_1,{caption:"Followers",columns:[{name:"address",title:"Address",cell:a=>a.address},{name:"process",title:"Process",cell:a=>a.process},{name:"records_unsent",title:"Records behind",isNumeric:!0,cell:a=>V(a.records_unsent)}],rows:r.followers??[],rowKey:a=>a.process,empty:"No broker follows this one: nobody would take over."}),o.value&&s(M1,{title:"Step down?",text:"A follower leads at once, and this broker ends; its service manager starts it again. Clients go to the new leader.",action:"Hand over",isDangerous:!0,fields:[{name:"alone",label:"Also where no broker follows",kind:"checkbox",help:"Nobody leads then until a broker is started."}],onClose:()=>o.value=!1,onSubmit:async a=>{await t1("/cluster/step-down",{method:"POST",body:a}),P1("the broker hands over and ends"),n()}})]})}function P0({why:e}){return s(I,{children:[s("div",{class:"page-head",children:s("h1",{children:"Cluster"})}),s("p",{class:"notice",children:[s("strong",{children:"This broker works alone"}),s("br",{}),e[0]?.toUpperCase(),e.slice(1),". Brokers that share a log take over from each other."]})]})}var Ti={path:"cluster",title:"Cluster",inNavigation:!0,needs:"show-broker",view:S0};var T0={add:"tag on",change:"tag on","cannot change":"tag bad",fault:"tag bad"};function M0(){let e=$(null),t=$(null),n=$(!1),o=$(!1),r=f=>t1("/configuration",{method:"POST",body:{dry_run:f,prune:n.value}}),l=async()=>{try{e.value=(await r(!0)).changes,t.value=null}catch(f){t.value=f instanceof V1?f:new V1(0,ge(f))}};l1(()=>{l()},[]);let i=e.value,a=i?.filter(f=>["add","change"].includes(f.verdict)||n.value&&f.verdict==="only in the broker")??[];return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Configuration"}),s("div",{class:"actions",children:[s("button",{type:"button",onClick:l,children:"Compare again"}),s("button",{type:"button",class:"primary",disabled:!a.length,onClick:()=>o.value=!0,children:"Apply the file"})]})]}),s("p",{class:"muted",children:["What differs between the running broker and its file. Nothing changes until the file is applied."," ",s("label",{children:[s("input",{type:"checkbox",checked:n.value,onChange:f=>n.value=f.currentTarget.checked})," remove what only the broker has"]})]}),t.value?s(o1,{problem:t.value}):i?s(_1,{caption:"What differs",columns:[{name:"verdict",title:"Verdict",cell:({verdict:f,done:c})=>s("span",{class:T0[f]??"tag",children:c?"done":f})},{name:"line",title:"Difference",cell:f=>f.line}],rows:i,rowKey:f=>f.line,empty:"The broker is what its file asks for."}):s(T1,{}),o.value&&s(M1,{title:`Apply ${a.length} ${a.length===1?"change":"changes"}?`,text:n.value?"Queues that only the broker has are deleted with their messages.":"Each change happens wholly or not at all.",action:"Apply",isDangerous:n.value,fields:[],onClose:()=>o.value=!1,onSubmit:async()=>{e.value=(await r(!1)).changes,P1(`${e.value.filter(f=>f.done).length} changes were applied`)}})]})}var Mi={path:"configuration",title:"Configuration",inNavigation:!0,needs:"reload",view:M0};function Ci({label:e,tabs:t,current:n,hrefOf:o}){return s("nav",{class:"segments","aria-label":e,children:t.map(r=>s("a",{href:o(r),"aria-current":r===n?"page":void 0,children:r},r))})}var Ri=d1(location.hash);addEventListener("hashchange",()=>Ri.value=location.hash);var f2=ot(()=>{let[e="",t=""]=Ri.value.replace(/^#\/?/,"").split("?",2);return{segments:e.split("/").filter(Boolean).map(C0),query:new URLSearchParams(t)}});function w1(e,t={}){let n=new URLSearchParams(Object.entries(t).filter(([,r])=>r!=="")),o=`#/${e.map(encodeURIComponent).join("/")}`;return n.size?`${o}?${n}`:o}function be(e,t={}){location.hash=w1(e,t)}function Ei(e,t){let n=e.split("/").filter(Boolean);if(n.length!==t.length)return null;let o={};for(let[r,l]of n.entries()){let i=t[r]??"";if(l.startsWith(":"))o[l.slice(1)]=i;else if(l!==i)return null}return o}function C0(e){try{return decodeURIComponent(e)}catch{return e}}var Di=["connections","sessions","consumers","producers"];function R0({query:e}){let t=Di.find(p=>p===e.get("show"))??"connections",n=e.get("contains")??"",o=e.get("sort")??"name",r=$(null),{data:l,problem:i,refresh:a}=s1(K(["peers",t])),f=(l.value?.[t]??[]).filter(p=>Object.values(p).join(" ").includes(n)),c=Date.now();return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Connections"}),s(Ci,{label:"Kinds of peers",tabs:Di,current:t,hrefOf:p=>w1(["connections"],{show:p})})]}),s("div",{class:"tools",children:[s("input",{type:"search","aria-label":"Search",placeholder:"Search",value:n,onInput:p=>be(["connections"],{show:t,sort:o,contains:p.currentTarget.value})}),s("span",{class:"muted",children:V(f.length)})]}),i.value&&s(o1,{problem:i.value}),l.value?.[t]?s(_1,{caption:t,columns:A0(t,c,p=>r.value=p),rows:L0(f,o),rowKey:p=>`${p.connection} ${p.session} ${p.name} ${p.role}`,sort:o,onSort:p=>be(["connections"],{show:t,sort:p,contains:n}),empty:`There are no ${t} that you may see.`}):!i.value&&s(T1,{}),r.value!==null&&s(M1,{title:`Close ${r.value.name}?`,text:r.value.text,action:r.value.action,isDangerous:!0,fields:[],onClose:()=>r.value=null,onSubmit:async()=>{r.value!==null&&(await t1(r.value.address,{method:"DELETE"}),P1(`closed ${r.value.name}`),a())}})]})}function E0(e){return{name:e,address:K(["peers","connections",e]),action:"Close the connection",text:"Its peer is told, and may connect again. Messages that it has not settled go back to their queues."}}function D0(e){let t=String(e.name),n={connection:String(e.connection),session:String(e.session)};return{name:t,address:K(["peers","consumers",t],n),action:"Close the consumer",text:`Its connection ${n.connection} stays, and may subscribe again; over AMQP 0-10 its peer cannot be told. Messages that it has not settled go back to ${e.node}.`}}function A0(e,t,n){let o=(w,P)=>({name:w,title:P,isSortable:!0,cell:k=>String(k[w]??"")}),r=(w,P,k=V)=>({...o(w,P),isNumeric:!0,cell:T=>k(Number(T[w]))}),l=w=>({name:"close",title:"Action",cell:P=>{let k=w(P);return s("button",{type:"button",class:"danger",onClick:()=>n(k),"aria-label":`Close ${k.name}`,title:k.action,children:"Close"})}}),i=l(w=>E0(String(w[e==="connections"?"name":"connection"]))),a=(w,P)=>r(w,P,k=>k?H1(t-(k??0)):"–");if(e==="connections")return[o("name","Connection"),o("user","User"),o("protocol","Protocol"),o("program","Program"),r("sessions","Sessions"),r("received","Published"),r("delivered","Delivered"),r("bytes_in","In",ve),r("bytes_out","Out",ve),a("since_ms","Since"),i];if(e==="sessions")return[o("name","Session"),o("connection","Connection"),r("channel","Channel"),r("links","Links"),r("unsettled","Unsettled"),i];let f={...o("node",e==="consumers"?"Reads":"Publishes to"),cell:w=>e==="consumers"?s("a",{href:w1(["queues",String(w.node)]),children:w.node}):w.node||"by message"},c={...o("waits_for","Waits for"),cell:w=>w.waits_for?s("span",{class:O0(w)?"tag":"tag warn",children:w.waits_for}):""},p=a("waits_since_ms","For"),h=[c,p,o("user","User"),o("connection","Connection"),e==="consumers"?l(D0):i];if(e==="producers")return[f,r("received","Published"),r("refused","Refused"),a("last_ms","Last"),...h];let b={name:"browses",title:"Mode",cell:w=>w.browses?"browses":"consumes"},g=r("credit","Credit",w=>w===-1?"any":V(w));return[f,b,r("delivered","Delivered"),r("unsettled","Unsettled"),g,a("last_ms","Last"),...h]}function O0(e){return e.waits_for==="empty"||!e.waits_since_ms}function L0(e,t){let[n,o]=t.startsWith("-")?[t.slice(1),-1]:[t,1];return[...e].sort((r,l)=>{let[i,a]=[r[n]??"",l[n]??""];return o*(typeof i=="number"&&typeof a=="number"?i-a:String(i).localeCompare(String(a)))})}var Ai={path:"connections",title:"Connections",inNavigation:!0,view:R0};var N0=["direct","topic","fanout","headers","address"],$0=100;function F0({query:e}){let[t,n]=[e.get("after")??"",e.get("contains")??""],o=K(["exchanges"],{after:t,contains:n,limit:$0}),{data:r,problem:l,refresh:i}=s1(o),a=$(!1),f=r.value?.exchanges??[];return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Exchanges"}),s("div",{class:"actions",children:s("button",{type:"button",class:"primary",disabled:ht()!=="",title:ht(),onClick:()=>a.value=!0,children:"Add an exchange"})})]}),s("div",{class:"tools",children:s("input",{type:"search","aria-label":"Search exchanges",placeholder:"Search",value:n,onInput:c=>be(["exchanges"],{contains:c.currentTarget.value})})}),l.value&&s(o1,{problem:l.value}),r.value?s(_1,{caption:"Exchanges",columns:[{name:"name",title:"Exchange",cell:c=>c.name},{name:"type",title:"Type",cell:c=>s("span",{class:"tag",children:c.type})},{name:"bindings",title:"Bindings",isNumeric:!0,cell:c=>V(c.bindings.length)},{name:"received",title:"Received",isNumeric:!0,cell:c=>V(c.received)},{name:"unrouted",title:"No queue",isNumeric:!0,cell:c=>V(c.unrouted),help:"Messages that no queue got"},{name:"options",title:"Options",cell:({options:c})=>Oi(c)}],rows:f,rowKey:c=>c.name,rowLink:c=>w1(["exchanges",c.name]),empty:"There are no exchanges that you may see."}):!l.value&&s(T1,{}),r.value?.next&&s("a",{href:w1(["exchanges"],{contains:n,after:f.at(-1)?.name??""}),children:"Next page"}),a.value&&s(M1,{title:"Add an exchange",action:"Add",fields:[{name:"name",label:"Name",isRequired:!0},{name:"type",label:"Type",kind:"choice",choices:N0,value:"topic"},{name:"alternate",label:"Alternate",help:"The exchange or queue that gets what no queue gets."},{name:"durable",label:"Durable",kind:"checkbox",value:!0,help:"It survives a restart."}],onClose:()=>a.value=!1,onSubmit:async({name:c,...p})=>{await t1(K(["exchanges",String(c)]),{method:"PUT",body:p}),P1(`added exchange ${c}`),i()}})]})}function Oi(e){return Object.entries(e).filter(([t])=>t!=="type").map(([t,n])=>n===!0?t:`${t} ${Z(n)}`).join(", ")}function q0({parameters:e}){let t=e.exchange??"",{data:n,problem:o,refresh:r}=s1(K(["exchanges"],{contains:t,limit:1e3}),4e3),l=$(""),i=st(t),a=n.value?.exchanges.find(c=>c.name===t);if(!n.value)return o.value?s(o1,{problem:o.value}):s(T1,{});if(!a)return s("p",{class:"notice",role:"alert",children:["There is no exchange ",t," that you may see."]});let f=({destination:c,key:p})=>B2(`unbound ${c}`,()=>t1(K(["exchanges",t,"bindings"],{destination:c,key:p}),{method:"DELETE"}));return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:t}),s("span",{class:"tag",children:a.type}),s("span",{class:"muted",children:Oi(a.options)}),s("div",{class:"actions",children:[s("button",{type:"button",disabled:i("bind")!=="",title:i("bind"),onClick:()=>l.value="bind",children:"Bind"}),!t.startsWith("amq.")&&s("button",{type:"button",class:"danger",disabled:i("delete-exchange")!=="",title:i("delete-exchange"),onClick:()=>l.value="delete",children:"Delete"})]})]}),s("section",{class:"card route","aria-labelledby":"route-heading",children:[s("h2",{id:"route-heading",children:"Where would this message go?"}),s(V0,{exchange:t})]}),s(_1,{caption:`Bindings of ${t}`,columns:[{name:"destination",title:"Destination",cell:c=>s("a",{href:w1(["queues",c.destination]),children:c.destination})},{name:"key",title:"Key",cell:c=>s("code",{children:c.key})},{name:"arguments",title:"Arguments",cell:c=>s("code",{children:Object.keys(c.arguments).length?Z(c.arguments):""})},{name:"unbind",title:"Action",cell:c=>s("button",{type:"button",class:"danger","aria-label":`Unbind ${c.destination} ${c.key}`,onClick:async()=>await f(c)&&r(),children:"Unbind"})}],rows:a.bindings,rowKey:c=>`${c.destination} ${c.key}`,empty:"Nothing is bound to it."}),l.value==="bind"&&s(M1,{title:`Bind to ${t}`,action:"Bind",fields:[{name:"destination",label:"Queue or exchange",isRequired:!0},{name:"key",label:"Key",help:"The routing key, or a topic's pattern."},{name:"arguments",label:"Arguments",kind:"json",help:'As JSON, such as {"x-filter-jms-selector": "size > 3"}.'}],onClose:()=>l.value="",onSubmit:async c=>{await t1(K(["exchanges",t,"bindings"]),{method:"POST",body:c}),P1(`bound ${c.destination}`),r()}}),l.value==="delete"&&s(M1,{title:`Delete exchange ${t}?`,text:"Its bindings go with it; the queues stay.",action:"Delete the exchange",isDangerous:!0,fields:[],onClose:()=>l.value="",onSubmit:async()=>{await t1(K(["exchanges",t]),{method:"DELETE"}),be(["exchanges"])}})]})}function V0({exchange:e}){let t=$(null);return s(I,{children:[s(rt,{action:"Explain",fields:[{name:"key",label:"Routing key or subject"},{name:"properties",label:"Properties",kind:"json",help:'As JSON, such as {"size": 5}.'}],onSubmit:async n=>{t.value=null,t.value=await t1(K(["exchanges",e,"route"]),{method:"POST",body:n})}}),t.value&&s("div",{class:"answer",role:"status",children:[s("p",{children:[t.value.queues.length?"It would go to ":"No queue would get it.",t.value.queues.map(n=>s("a",{class:"tag on",href:w1(["queues",n]),children:n},n))]}),s(_1,{caption:"Why",columns:[{name:"gets",title:"Gets it",cell:n=>s("span",{class:n.gets?"tag on":"tag",children:n.gets?"yes":"no"})},{name:"exchange",title:"From",cell:n=>n.exchange},{name:"destination",title:"To",cell:n=>n.to==="nothing"?"nothing":`${n.to} ${n.destination}`},{name:"key",title:"Key",cell:n=>s("code",{children:n.key})},{name:"reason",title:"Because",cell:n=>n.reason}],rows:t.value.bindings,rowKey:n=>`${n.exchange} ${n.to} ${n.destination} ${n.key}`})]})]})}var Li={path:"exchanges",title:"Exchanges",inNavigation:!0,view:F0},Ni={path:"exchanges/:exchange",title:"Exchange",inNavigation:!1,view:q0};var I0=["debug","info","warning","error","critical"],$i=500,W0=new Set(["number","timestamp","level","component","event","message"]),z0={warning:"tag warn",error:"tag bad",critical:"tag bad"};function H0({query:e}){let[t,n]=[e.get("level")??"info",e.get("event")??""],o=$([]),r=$(null),l=$(!0);l1(()=>{if(r.value=null,!l.value)return;let a=new EventSource(K(["log","follow"],{level:t,event:n,limit:$i}));a.addEventListener("open",()=>o.value=[]);let f=[],c=0;return a.addEventListener("line",p=>{f.push(JSON.parse(p.data)),c||=requestAnimationFrame(()=>{o.value=[...o.value,...f].slice(-$i),[f,c]=[[],0]})}),a.addEventListener("error",async()=>{if(a.readyState===EventSource.CLOSED)try{await t1(K(["log"],{level:t,event:n,limit:1}))}catch(p){r.value=p instanceof V1?p:new V1(0,ge(p))}}),()=>{a.close(),cancelAnimationFrame(c)}},[t,n,l.value]);let i=a=>be(["log"],{level:t,event:n,...a});return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Log"}),s("div",{class:"actions",children:s("button",{type:"button","aria-pressed":l.value,onClick:()=>l.value=!l.value,children:"Follow"})})]}),s("div",{class:"tools",children:[s("label",{class:"choice",children:[s("span",{children:"from level"}),s("select",{value:t,onChange:a=>i({level:a.currentTarget.value}),children:I0.map(a=>s("option",{value:a,selected:a===t,children:a},a))})]}),s("input",{type:"search","aria-label":"Text in the event or component",placeholder:"Event, such as audit",defaultValue:n,onChange:a=>i({event:a.currentTarget.value})},n),s("button",{type:"button","aria-pressed":n==="audit",onClick:()=>i({event:n==="audit"?"":"audit"}),children:"Audit"}),s("span",{class:"muted",children:[o.value.length," lines"]})]}),r.value?s(o1,{problem:r.value}):s(_1,{caption:"Lines of the log, the newest first",columns:[{name:"timestamp",title:"Time (UTC)",cell:a=>s("time",{children:a.timestamp.replace("T"," ").replace("Z","")})},{name:"level",title:"Level",cell:a=>s("span",{class:z0[a.level]??"tag",children:a.level})},{name:"event",title:"Event",cell:a=>s("code",{children:a.event})},{name:"message",title:"What",cell:a=>s(U0,{line:a})}],rows:[...o.value].reverse(),rowKey:a=>String(a.number),empty:"No line fits."})]})}function U0({line:e}){let t=Object.entries(e).filter(([n])=>!W0.has(n));return s(I,{children:[e.message," ",t.map(([n,o])=>s("span",{class:"log-field",children:[s("span",{class:"muted",children:[n,"="]}),Z(o)," "]},n))]})}var Fi={path:"log",title:"Log",inNavigation:!0,needs:"show-log",view:H0};function Et(e){return{...e.properties,...B0(e.body)}}function B0(e){let t=e;if(typeof e=="string"&&e.trimStart().startsWith("{"))try{t=JSON.parse(e)}catch{return{}}return typeof t=="number"?{value:t}:typeof t=="object"&&t!==null&&!Array.isArray(t)?t:{}}var j0={latitude:/^lat(itude)?$/i,longitude:/^(lon|lng|long|longitude)$/i,direction:/^(track|heading|course|bearing|direction)$/i,label:/^(callsign|label|name|title|flight)$/i,price:/^(price|last|mid|bid|rate|value)$/i,open:/^open$/i,high:/^high$/i,low:/^low$/i,close:/^close$/i};function Ce(e,t,n){return n||(Object.keys(t).find(o=>j0[e].test(o))??"")}function Re(e,t){let n=e[t],o=typeof n=="number"?n:typeof n=="string"&&n.trim()!==""?Number(n):NaN;return Number.isFinite(o)?o:void 0}function qi(e){let t=Re(e,Ce("latitude",e,null));return t!==void 0&&Math.abs(t)<=90&&Re(e,Ce("longitude",e,null))!==void 0}function Vi(e){return Re(e,Ce("close",e,null)||Ce("price",e,null))!==void 0}function d2({queue:e,fields:t,current:n}){let r=[{name:"table",title:"Table",fits:!0,href:w1(["queues",e])},{name:"map",title:"Map",fits:qi(t),href:w1(["queues",e,"map"])},{name:"prices",title:"Prices",fits:Vi(t),href:w1(["queues",e,"prices"])}].filter(l=>l.fits||l.name===n);return r.length<2?null:s("nav",{class:"segments","aria-label":"Views of the queue",children:r.map(l=>s("a",{href:l.href,"aria-current":l.name===n?"page":void 0,children:l.title},l.name))})}function Ii({queue:e}){let{data:t}=s1(K(["queues",e,"keys"],{limit:1}),1e4),n=t.value?.values[0];return n?s(d2,{queue:e,fields:Et(n),current:"table"}):null}function Yt({label:e,name:t,value:n,choices:o}){let{segments:r,query:l}=f2.value,i=o.includes(n)?o:[n,...o];return s("label",{class:"choice",children:[s("span",{children:e}),s("select",{value:n,onChange:a=>be(r,{...Object.fromEntries(l),[t]:a.currentTarget.value}),children:i.map(a=>s("option",{value:a,selected:a===n,children:a||"–"},a))})]})}function Q2({isLive:e,rate:t}){let n=t.updates-t.values;return s("p",{class:"follow-rate","aria-live":"off",children:[s("span",{class:e?"tag on":"tag warn",children:e?"live":"waiting"})," ",t.values.toLocaleString("en")," values/s",n>0&&s(I,{children:[", which stand for ",t.updates.toLocaleString("en")," updates/s"]})]})}var K0=8,Wi=250,zi=5e3,G0=45e3,Q0=/\r\n\r\n|\n\n/;async function Y2(e,t,n){let o=Wi,r={id:""};for(;!n.aborted;){let l=new dr(n);try{let i=await cr(e,{signal:l.signal,headers:Y0(r.id)});t.begin(),await J0(i,t,r,l,()=>o=Wi),t.lost("the stream ended")}catch(i){if(n.aborted)return;if(l.signal.aborted&&(Mt.value=!1),i instanceof V1&&!i.isUnreachable&&i.status!==429){if(t.refused(i),!i.isOfNothing)return;o=zi}else t.lost(l.signal.aborted?"the gateway has said nothing for long":ge(i))}finally{l.end()}await o4(o,n),o=Math.min(2*o,zi)}}var dr=class{constructor(t){this.page=t;t.addEventListener("abort",this.stop,{once:!0}),this.restart()}page;ended=new AbortController;timer=0;stop=()=>this.ended.abort();get signal(){return this.ended.signal}restart(){clearTimeout(this.timer),this.timer=window.setTimeout(this.stop,G0)}end(){clearTimeout(this.timer),this.page.removeEventListener("abort",this.stop)}};function Y0(e){return{Accept:"text/event-stream",...e?{"Last-Event-ID":e}:{}}}async function J0(e,t,n,o,r){let l=e.body.getReader(),i=new TextDecoder,a="",f=performance.now();for(;;){let{done:c,value:p}=await l.read();if(c)return;o.restart();let h=(a+i.decode(p,{stream:!0})).split(Q0);if(a=h.pop()??"",Z0(h,t,n),r(),o.signal.aborted)return;performance.now()-f>K0&&(await n4(),f=performance.now())}}function Z0(e,t,n){let o=[],r=()=>{o.length&&t.values(o),o=[]};for(let l of e){let{kind:i,data:a,id:f}=t4(l);if(i==="value"){let c=X0(a);c!==void 0&&o.push(c)}else i!==""&&(r(),e4(i,a,t));f!==null&&(n.id=f)}r()}function X0(e){try{return JSON.parse(e)}catch{return}}function e4(e,t,n){if(e==="removed")n.removed(JSON.parse(t));else if(e==="snapshot-begin")n.begin(JSON.parse(t).partition);else if(e==="snapshot-end")n.snapshotEnd(JSON.parse(t));else if(e==="partition-lost"){let o=JSON.parse(t);n.begin(o.partition),n.partitionLost(o)}else if(e==="error"){let o=JSON.parse(t);throw new V1(o.status,o.detail)}}function t4(e){let t="",n="",o=null;for(let r of e.split(/\r?\n/))r.startsWith("event:")?t=r.slice(6).trim():r.startsWith("data:")?n+=r.slice(5):r.startsWith("id:")&&(o=r.slice(3).trim());return{kind:t,data:n,id:o}}function n4(){return new Promise(e=>document.hidden?setTimeout(e,1e3):requestAnimationFrame(()=>e()))}function o4(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()),{once:!0})})}var En=class{current=0;ofAll=0;begun=new Map;ended=new Map;begin(t){this.current++,t!==void 0?this.begun.set(t,this.current):(this.begun.clear(),this.ofAll=this.current)}end(t=0){this.ended.set(t,this.current)}isOpen(t=0){return(this.ended.get(t)??0)<this.beganAt(t)}isLeftBehind(t,n=0){return t<this.beganAt(n)}beganAt(t){return this.begun.get(t)??this.ofAll}};var r4=1e3;function Dn(e,t,n={}){let o=y1(()=>({problem:d1(null),isLive:d1(!1),rate:d1({values:0,updates:0}),sample:d1(null)}),[]),r=K(["queues",e,"follow"],n);return l1(()=>{let l=new AbortController,[i,a]=[0,0],f=new Map,c=new En,p=new Set,h=setInterval(()=>{o.rate.value={values:i,updates:a},[i,a]=[0,0]},r4);return Y2(r,{begin:b=>{o.problem.value=null,c.begin(b)},values:b=>{for(let g of b){let w=String(g.key),P=f.get(w)?.updates??0,k=g.partition??0;f.set(w,{updates:g.updates,partition:k,snapshot:c.current}),c.isOpen(k)||([i,a]=[i+1,a+g.updates-(g.updates>P?P:0)]),t.take(g)}o.sample.value??=b[0]??null},snapshotEnd:({resumed:b,partition:g=0})=>{if(c.end(g),p.delete(g),o.isLive.value=p.size===0,!b){for(let[w,P]of f)P.partition===g&&c.isLeftBehind(P.snapshot,g)&&f.delete(w);t.retain(new Set(f.keys()))}},removed:({key:b})=>{f.delete(String(b)),t.remove(String(b))},partitionLost:({partition:b})=>{p.add(b),o.isLive.value=!1},lost:()=>{p.clear(),o.isLive.value=!1},refused:b=>o.problem.value=b},l.signal),()=>{l.abort(),clearInterval(h)}},[r]),o}var Hi=`1564-1120-96 10
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
1207`;var Ui=50,Bi=85;function pr(e){return(e+180)/360}function mr(e){let t=Math.max(-Bi,Math.min(Bi,e));return .5-Math.log(Math.tan(Math.PI/4+t*Math.PI/360))/(2*Math.PI)}function ji(e,t,n){let[o,r,l,i]=[1,1,0,0];for(let{x:f,y:c}of e)[o,l]=[Math.min(o,f),Math.max(l,f)],[r,i]=[Math.min(r,c),Math.max(i,c)];if(o>l)return null;let a=.85*Math.min(t/Math.max(l-o,.005),n/Math.max(i-r,.005));return{x:(o+l)/2,y:(r+i)/2,scale:a}}var J2=null;function hr(){if(J2)return J2;let[e="",t=""]=Hi.split(`

`),n=e.split(`
`).map(i4),o=l=>{let i=new Path2D;for(let a of l)for(let[f,{x:c,y:p}]of a.entries())f?i.lineTo(c,p):i.moveTo(c,p);return i},r=l=>Ki(l).flatMap(i=>i<0?[...n[-1-i]??[]].reverse():n[i]??[]);return J2={land:o(t.split(`
`).map(r)),lines:o(n)},J2}function i4(e){let t=Ki(e),[n,o]=[0,0];return Array.from({length:t.length/2},(r,l)=>(n+=(t[2*l]??0)/Ui,o+=(t[2*l+1]??0)/Ui,{x:pr(n),y:mr(o)}))}function Ki(e){return(e.match(/-?\d+/g)??[]).map(Number)}var l4=40,a4=300,u4=4e6,c4=60,f4=1e4,Z2=class{constructor(t){this.canvas=t}canvas;things=new Map;part={x:.5,y:.4,scale:900};isChosen=!1;isDue=!1;selected=null;get count(){return this.things.size}put(t,{latitude:n,longitude:o,direction:r,label:l}){let[i,a]=[pr(o),mr(n)],f=this.things.get(t);f?((f.x!==i||f.y!==a)&&(f.trail.push({x:f.x,y:f.y}),f.trail.length>l4&&f.trail.shift()),Object.assign(f,{x:i,y:a,direction:r,label:l,toldMs:performance.now()})):this.things.set(t,{x:i,y:a,direction:r,label:l,toldMs:performance.now(),trail:[]}),this.changed()}remove(t){this.things.delete(t)&&this.changed()}retain(t){for(let n of this.things.keys())t.has(n)||this.things.delete(n);this.changed()}select(t){this.selected=t,this.changed()}fit(){this.isChosen=!1,this.changed()}move(t,n){this.isChosen=!0,this.part={...this.part,x:this.part.x-t/this.part.scale,y:this.part.y-n/this.part.scale},this.changed()}zoom(t,n=this.canvas.clientWidth/2,o=this.canvas.clientHeight/2){this.isChosen=!0;let{x:r,y:l,scale:i}=this.part,a=Math.max(a4,Math.min(u4,i*t)),[f,c]=[n-this.canvas.clientWidth/2,o-this.canvas.clientHeight/2];this.part={x:r+f/i-f/a,y:l+c/i-c/a,scale:a},this.changed()}at(t,n){let o=null,r=14;for(let[l,i]of this.things){let a=Math.hypot(this.across(i.x)-t,this.down(i.y)-n);a<r&&([o,r]=[l,a])}return o}changed(){this.isDue||(this.isDue=!0,requestAnimationFrame(()=>{this.isDue=!1,this.draw()}))}across(t){return(t-this.part.x)*this.part.scale+this.canvas.clientWidth/2}down(t){return(t-this.part.y)*this.part.scale+this.canvas.clientHeight/2}draw(){let{canvas:t}=this,n=t.getContext("2d"),[o,r,l]=[t.clientWidth,t.clientHeight,devicePixelRatio];if(!n||!o)return;(t.width!==Math.round(o*l)||t.height!==Math.round(r*l))&&([t.width,t.height]=[Math.round(o*l),Math.round(r*l)]),this.isChosen||(this.part=ji(this.things.values(),o,r)??this.part);let i=getComputedStyle(t),a=f=>i.getPropertyValue(`--${f}`).trim();n.setTransform(l,0,0,l,0,0),n.fillStyle=a("map-sea"),n.fillRect(0,0,o,r),this.drawWorld(n,l,a("map-land"),a("map-line")),this.drawThings(n,a("colour-1"),a("colour-2"),a("ink"))}drawWorld(t,n,o,r){let{x:l,y:i,scale:a}=this.part,[f,c]=[this.canvas.clientWidth,this.canvas.clientHeight];t.save(),t.setTransform(a*n,0,0,a*n,(f/2-l*a)*n,(c/2-i*a)*n),t.lineWidth=1/a,t.fillStyle=o,t.fill(hr().land),t.strokeStyle=r,t.stroke(hr().lines),t.restore()}drawThings(t,n,o,r){let[l,i]=[this.canvas.clientWidth,this.canvas.clientHeight],a=[];for(let[f,c]of this.things){let[p,h]=[this.across(c.x),this.down(c.y)];p>-20&&h>-20&&p<l+20&&h<i+20&&a.push([f,c,p,h])}for(let[f,c,p,h]of a){t.strokeStyle=t.fillStyle=f===this.selected?o:n,t.lineWidth=1.5,t.globalAlpha=.4,t.beginPath();for(let b of c.trail)t.lineTo(this.across(b.x),this.down(b.y));t.lineTo(p,h),t.stroke(),t.globalAlpha=f===this.selected||performance.now()-c.toldMs<f4?1:.35,d4(t,p,h,c.direction)}t.globalAlpha=1,t.font="11px system-ui, sans-serif",t.fillStyle=r;for(let[f,c,p,h]of a)(a.length<=c4||f===this.selected)&&t.fillText(c.label,p+9,h+4)}};function d4(e,t,n,o){if(e.beginPath(),o===void 0)e.arc(t,n,3.5,0,2*Math.PI);else{let r=o*Math.PI/180,[l,i]=[Math.sin(r),Math.cos(r)];for(let[a,f]of[[0,-8],[5,6],[0,3],[-5,6]])e.lineTo(t+a*i-f*l,n+a*l+f*i);e.closePath()}e.fill()}var Gi="lastvalue-theme",Qi=matchMedia("(prefers-color-scheme: dark)"),Yi=d1(Qi.matches);Qi.addEventListener("change",e=>Yi.value=e.matches);var gr=d1(p4()),it=ot(()=>gr.value??(Yi.value?"dark":"light"));pt(()=>{document.documentElement.dataset.theme=it.value});function Ji(){gr.value=it.value==="dark"?"light":"dark";try{localStorage.setItem(Gi,gr.value)}catch{}}function p4(){try{let e=localStorage.getItem(Gi);return e==="light"||e==="dark"?e:null}catch{return null}}var X2=60,p2=1.4;function m4({parameters:e,query:t}){let n=e.queue??"",o=se(null),r=se(null),l=y1(()=>({newest:new Map,selected:d1(null),count:d1(0)}),[]),i=se(t);i.current=t;let a=y1(()=>{let k=(T,y)=>{let C=Q=>Ce(Q,y,i.current.get(Q)),S=Re(y,C("latitude")),W=Re(y,C("longitude"));if(S===void 0||W===void 0)return;let A=Z(y[C("label")])||T;r.current?.put(T,{latitude:S,longitude:W,direction:Re(y,C("direction")),label:A})};return{put:k,take:T=>{let[y,C]=[String(T.key),Et(T)];l.newest.set(y,C),k(y,C)},remove:T=>{l.newest.delete(T),r.current?.remove(T)},retain:T=>{for(let y of l.newest.keys())T.has(y)||l.newest.delete(y);r.current?.retain(T)}}},[]);l1(()=>{let k=o.current;if(!k)return;let T=r.current=new Z2(k),y=new ResizeObserver(()=>T.changed());y.observe(k);let C=v4(k,T,W=>l.selected.value=W),S=setInterval(()=>l.count.value=T.count,500);return()=>{y.disconnect(),C(),clearInterval(S)}},[]),l1(()=>{for(let[k,T]of l.newest)a.put(k,T)},[t.toString()]),l1(()=>r.current?.changed(),[it.value]);let{problem:f,isLive:c,rate:p,sample:h}=Dn(n,a),b=l.selected.value;l1(()=>r.current?.select(b),[b]);let g=h.value?Et(h.value):{},w=Object.keys(g).filter(k=>Re(g,k)!==void 0),P=Ce("label",g,t.get("label"));return s(I,{children:[f.value&&s(o1,{problem:f.value}),s("div",{class:"page-head",hidden:f.value!==null,children:[s("h1",{children:n}),s(d2,{queue:n,fields:g,current:"map"}),s("div",{class:"actions",children:s(Q2,{isLive:c.value,rate:p.value})})]}),s("div",{class:"tools",hidden:f.value!==null,children:[["latitude","longitude","direction"].map(k=>s(Yt,{label:k,name:k,value:Ce(k,g,t.get(k)),choices:w},k)),s(Yt,{label:"label",name:"label",value:P,choices:Object.keys(g)}),s("span",{class:"muted",children:[V(l.count.value)," on the map"]})]}),s("div",{class:"map",hidden:f.value!==null,children:[s("canvas",{ref:o,tabIndex:0,role:"application","aria-label":`Map of ${n}. Arrow keys move it, plus and minus zoom, 0 shows everything.`,onKeyDown:k=>g4(k,r.current)}),s("div",{class:"map-buttons",children:[s("button",{type:"button","aria-label":"Zoom in",onClick:()=>r.current?.zoom(p2),children:"+"}),s("button",{type:"button","aria-label":"Zoom out",onClick:()=>r.current?.zoom(1/p2),children:"−"}),s("button",{type:"button",onClick:()=>r.current?.fit(),children:"All"})]}),b!==null&&s(h4,{name:b,fields:l.newest.get(b)??{},onClose:()=>l.selected.value=null})]}),s("p",{class:"muted small",children:"Outlines: Natural Earth, public domain."})]})}function h4({name:e,fields:t,onClose:n}){return s("aside",{class:"map-details","aria-label":`Fields of ${e}`,children:[s("header",{children:[s("strong",{children:e}),s("button",{type:"button",class:"plain","aria-label":"Close",onClick:n,children:"×"})]}),s("dl",{children:Object.entries(t).map(([o,r])=>s("div",{children:[s("dt",{children:o}),s("dd",{children:Z(r)})]},o))})]})}function g4(e,t){let o={ArrowLeft:()=>t?.move(X2,0),ArrowRight:()=>t?.move(-X2,0),ArrowUp:()=>t?.move(0,X2),ArrowDown:()=>t?.move(0,-X2),"+":()=>t?.zoom(p2),"=":()=>t?.zoom(p2),"-":()=>t?.zoom(1/p2),0:()=>t?.fit()}[e.key];!o||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),o())}function v4(e,t,n){let o=new AbortController,r={signal:o.signal},l=0;return e.addEventListener("pointerdown",i=>(l=0,e.setPointerCapture(i.pointerId)),r),e.addEventListener("pointermove",i=>{e.hasPointerCapture(i.pointerId)&&(l+=Math.abs(i.movementX)+Math.abs(i.movementY),l>3&&t.move(i.movementX,i.movementY))},r),e.addEventListener("click",i=>l<=3&&n(t.at(i.offsetX,i.offsetY)),r),e.addEventListener("wheel",i=>{i.preventDefault(),t.zoom(Math.exp(-i.deltaY/400),i.offsetX,i.offsetY)},{...r,passive:!1}),()=>o.abort()}var Zi={path:"queues/:queue/map",title:"Map",inNavigation:!1,view:m4};var b4="uplot",y4="u-hz",_4="u-vt",w4="u-title",x4="u-wrap",k4="u-under",S4="u-over",P4="u-axis",Xt="u-off",T4="u-select",M4="u-cursor-x",C4="u-cursor-y",R4="u-cursor-pt",E4="u-legend",D4="u-live",A4="u-inline",O4="u-series",L4="u-marker",Xi="u-label",N4="u-value",h2="width",g2="height";var el="bottom",An="left",vr="right",Lr="#000",tl=Lr+"0",br="mousemove",nl="mousedown",yr="mouseup",ol="mouseenter",rl="mouseleave",sl="dblclick",$4="resize",F4="scroll",il="change",ro="dppxchange",Nr="--",Vn=typeof window<"u",Sr=Vn?document:null,Ln=Vn?window:null,q4=Vn?navigator:null,v1,eo;function Pr(){let e=devicePixelRatio;v1!=e&&(v1=e,eo&&Mr(il,eo,Pr),eo=matchMedia(`(min-resolution: ${v1-.001}dppx) and (max-resolution: ${v1+.001}dppx)`),en(il,eo,Pr),Ln.dispatchEvent(new CustomEvent(ro)))}function Ee(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function Tr(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function L1(e,t,n){e.style[t]=n+"px"}function Ke(e,t,n,o){let r=Sr.createElement(e);return t!=null&&Ee(r,t),n?.insertBefore(r,o),r}function Ie(e,t){return Ke("div",e,t)}var ll=new WeakMap;function lt(e,t,n,o,r){let l="translate("+t+"px,"+n+"px)",i=ll.get(e);l!=i&&(e.style.transform=l,ll.set(e,l),t<0||n<0||t>o||n>r?Ee(e,Xt):Tr(e,Xt))}var al=new WeakMap;function ul(e,t,n){let o=t+n,r=al.get(e);o!=r&&(al.set(e,o),e.style.background=t,e.style.borderColor=n)}var cl=new WeakMap;function fl(e,t,n,o){let r=t+""+n,l=cl.get(e);r!=l&&(cl.set(e,r),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=o?-t/2+"px":0,e.style.marginTop=o?-n/2+"px":0)}var $r={passive:!0},V4={...$r,capture:!0};function en(e,t,n,o){t.addEventListener(e,n,o?V4:$r)}function Mr(e,t,n,o){t.removeEventListener(e,n,$r)}Vn&&Pr();function Ge(e,t,n,o){let r;n=n||0,o=o||t.length-1;let l=o<=2147483647;for(;o-n>1;)r=l?n+o>>1:De((n+o)/2),t[r]<e?n=r:o=r;return e-t[n]<=t[o]-e?n:o}function Vl(e){return(n,o,r)=>{let l=-1,i=-1;for(let a=o;a<=r;a++)if(e(n[a])){l=a;break}for(let a=r;a>=o;a--)if(e(n[a])){i=a;break}return[l,i]}}var Il=e=>e!=null,Wl=e=>e!=null&&e>0,lo=Vl(Il),I4=Vl(Wl);function W4(e,t,n,o=0,r=!1){let l=r?I4:lo,i=r?Wl:Il;[t,n]=l(e,t,n);let a=e[t],f=e[t];if(t>-1)if(o==1)a=e[t],f=e[n];else if(o==-1)a=e[n],f=e[t];else for(let c=t;c<=n;c++){let p=e[c];i(p)&&(p<a?a=p:p>f&&(f=p))}return[a??C1,f??-C1]}function ao(e,t,n,o){let r=ml(e),l=ml(t);e==t&&(r==-1?(e*=n,t/=n):(e/=n,t*=n));let i=n==10?gt:zl,a=r==1?De:We,f=l==1?We:De,c=a(i(J1(e))),p=f(i(J1(t))),h=Nn(n,c),b=Nn(n,p);return n==10&&(c<0&&(h=R1(h,-c)),p<0&&(b=R1(b,-p))),o||n==2?(e=h*r,t=b*l):(e=jl(e,h),t=uo(t,b)),[e,t]}function Fr(e,t,n,o){let r=ao(e,t,n,o);return e==0&&(r[0]=0),t==0&&(r[1]=0),r}var qr=.1,dl={mode:3,pad:qr},b2={pad:0,soft:null,mode:0},z4={min:b2,max:b2};function so(e,t,n,o){return co(n)?pl(e,t,n):(b2.pad=n,b2.soft=o?0:null,b2.mode=o?3:0,pl(e,t,z4))}function h1(e,t){return e??t}function H4(e,t,n){for(t=h1(t,0),n=h1(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function pl(e,t,n){let o=n.min,r=n.max,l=h1(o.pad,0),i=h1(r.pad,0),a=h1(o.hard,-C1),f=h1(r.hard,C1),c=h1(o.soft,C1),p=h1(r.soft,-C1),h=h1(o.mode,0),b=h1(r.mode,0),g=t-e,w=gt(g),P=ye(J1(e),J1(t)),k=gt(P),T=J1(k-w);(g<1e-24||T>10)&&(g=0,(e==0||t==0)&&(g=1e-24,h==2&&c!=C1&&(l=0),b==2&&p!=-C1&&(i=0)));let y=g||P||1e3,C=gt(y),S=Nn(10,De(C)),W=y*(g==0?e==0?.1:1:l),A=R1(jl(e-W,S/10),24),Q=e>=c&&(h==1||h==3&&A<=c||h==2&&A>=c)?c:C1,U=ye(a,A<Q&&e>=Q?Q:Qe(Q,A)),r1=y*(g==0?t==0?.1:1:i),G=R1(uo(t+r1,S/10),24),D=t<=p&&(b==1||b==3&&G>=p||b==2&&G<=p)?p:-C1,Y=Qe(f,G>D&&t<=D?D:ye(D,G));return U==Y&&U==0&&(Y=100),[U,Y]}var U4=new Intl.NumberFormat(Vn?q4.language:"en-US"),Vr=e=>U4.format(e),Ae=Math,oo=Ae.PI,J1=Ae.abs,De=Ae.floor,Y1=Ae.round,We=Ae.ceil,Qe=Ae.min,ye=Ae.max,Nn=Ae.pow,ml=Ae.sign,gt=Ae.log10,zl=Ae.log2,B4=(e,t=1)=>Ae.sinh(e)*t,_r=(e,t=1)=>Ae.asinh(e/t),C1=1/0;function hl(e){return(gt((e^e>>31)-(e>>31))|0)+1}function Cr(e,t,n){return Qe(ye(e,t),n)}function Hl(e){return typeof e=="function"}function u1(e){return Hl(e)?e:()=>e}var j4=()=>{},Ul=e=>e,Bl=(e,t)=>t,K4=e=>null,gl=e=>!0,vl=(e,t)=>e==t,G4=/\.\d*?(?=9{6,}|0{6,})/gm,tn=e=>{if(Gl(e)||At.has(e))return e;let t=`${e}`,n=t.match(G4);if(n==null)return e;let o=n[0].length-1;if(t.indexOf("e-")!=-1){let[r,l]=t.split("e");return+`${tn(r)}e${l}`}return R1(e,o)};function Jt(e,t){return tn(R1(tn(e/t))*t)}function uo(e,t){return tn(We(tn(e/t))*t)}function jl(e,t){return tn(De(tn(e/t))*t)}function R1(e,t=0){if(Gl(e))return e;let n=10**t,o=e*n*(1+Number.EPSILON);return Y1(o)/n}var At=new Map;function Kl(e){return((""+e).split(".")[1]||"").length}function _2(e,t,n,o){let r=[],l=o.map(Kl);for(let i=t;i<n;i++){let a=J1(i),f=R1(Nn(e,i),a);for(let c=0;c<o.length;c++){let p=e==10?+`${o[c]}e${i}`:o[c]*f,h=(i>=0?0:a)+(i>=l[c]?0:l[c]),b=e==10?p:R1(p,h);r.push(b),At.set(b,h)}}return r}var y2={},Ir=[],$n=[null,null],Dt=Array.isArray,Gl=Number.isInteger,Q4=e=>e===void 0;function bl(e){return typeof e=="string"}function co(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function Y4(e){return e!=null&&typeof e=="object"}var J4=Object.getPrototypeOf(Uint8Array),Ql="__proto__";function Fn(e,t=co){let n;if(Dt(e)){let o=e.find(r=>r!=null);if(Dt(o)||t(o)){n=Array(e.length);for(let r=0;r<e.length;r++)n[r]=Fn(e[r],t)}else n=e.slice()}else if(e instanceof J4)n=e.slice();else if(t(e)){n={};for(let o in e)o!=Ql&&(n[o]=Fn(e[o],t))}else n=e;return n}function j1(e){let t=arguments;for(let n=1;n<t.length;n++){let o=t[n];for(let r in o)r!=Ql&&(co(e[r])?j1(e[r],Fn(o[r])):e[r]=Fn(o[r]))}return e}var Z4=0,X4=1,eu=2;function tu(e,t,n){for(let o=0,r,l=-1;o<t.length;o++){let i=t[o];if(i>l){for(r=i-1;r>=0&&e[r]==null;)e[r--]=null;for(r=i+1;r<n&&e[r]==null;)e[l=r++]=null}}}function nu(e,t){if(su(e)){let i=e[0].slice();for(let a=1;a<e.length;a++)i.push(...e[a].slice(1));return iu(i[0])||(i=ru(i)),i}let n=new Set;for(let i=0;i<e.length;i++){let f=e[i][0],c=f.length;for(let p=0;p<c;p++)n.add(f[p])}let o=[Array.from(n).sort((i,a)=>i-a)],r=o[0].length,l=new Map;for(let i=0;i<r;i++)l.set(o[0][i],i);for(let i=0;i<e.length;i++){let a=e[i],f=a[0];for(let c=1;c<a.length;c++){let p=a[c],h=Array(r).fill(void 0),b=t?t[i][c]:X4,g=[];for(let w=0;w<p.length;w++){let P=p[w],k=l.get(f[w]);P===null?b!=Z4&&(h[k]=P,b==eu&&g.push(k)):h[k]=P}tu(h,g,r),o.push(h)}}return o}var ou=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function ru(e){let t=e[0],n=t.length,o=Array(n);for(let l=0;l<o.length;l++)o[l]=l;o.sort((l,i)=>t[l]-t[i]);let r=[];for(let l=0;l<e.length;l++){let i=e[l],a=Array(n);for(let f=0;f<n;f++)a[f]=i[o[f]];r.push(a)}return r}function su(e){let t=e[0][0],n=t.length;for(let o=1;o<e.length;o++){let r=e[o][0];if(r.length!=n)return!1;if(r!=t){for(let l=0;l<n;l++)if(r[l]!=t[l])return!1}}return!0}function iu(e,t=100){let n=e.length;if(n<=1)return!0;let o=0,r=n-1;for(;o<=r&&e[o]==null;)o++;for(;r>=o&&e[r]==null;)r--;if(r<=o)return!0;let l=ye(1,De((r-o+1)/t));for(let i=e[o],a=o+l;a<=r;a+=l){let f=e[a];if(f!=null){if(f<=i)return!1;i=f}}return!0}var Yl=["January","February","March","April","May","June","July","August","September","October","November","December"],Jl=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Zl(e){return e.slice(0,3)}var lu=Jl.map(Zl),au=Yl.map(Zl),uu={MMMM:Yl,MMM:au,WWWW:Jl,WWW:lu};function m2(e){return(e<10?"0":"")+e}function cu(e){return(e<10?"00":e<100?"0":"")+e}var fu={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>m2(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>m2(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>m2(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>m2(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>m2(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>cu(e.getMilliseconds())};function Wr(e,t){t=t||uu;let n=[],o=/\{([a-z]+)\}|[^{]+/gi,r;for(;r=o.exec(e);)n.push(r[0][0]=="{"?fu[r[1]]:r[0]);return l=>{let i="";for(let a=0;a<n.length;a++)i+=typeof n[a]=="string"?n[a]:n[a](l,t);return i}}var du=new Intl.DateTimeFormat().resolvedOptions().timeZone;function pu(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==du?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var Xl=e=>e%1==0,io=[1,2,2.5,5],mu=_2(10,-32,0,io),ea=_2(10,0,32,io),hu=ea.filter(Xl),Zt=mu.concat(ea),zr=`
`,ta="{YYYY}",yl=zr+ta,na="{M}/{D}",v2=zr+na,to=v2+"/{YY}",oa="{aa}",gu="{h}:{mm}",On=gu+oa,_l=zr+On,wl=":{ss}",x1=null;function ra(e){let t=e*1e3,n=t*60,o=n*60,r=o*24,l=r*30,i=r*365,f=(e==1?_2(10,0,3,io).filter(Xl):_2(10,-3,0,io)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,o,o*2,o*3,o*4,o*6,o*8,o*12,r,r*2,r*3,r*4,r*5,r*6,r*7,r*8,r*9,r*10,r*15,l,l*2,l*3,l*4,l*6,i,i*2,i*5,i*10,i*25,i*50,i*100]),c=[[i,ta,x1,x1,x1,x1,x1,x1,1],[r*28,"{MMM}",yl,x1,x1,x1,x1,x1,1],[r,na,yl,x1,x1,x1,x1,x1,1],[o,"{h}"+oa,to,x1,v2,x1,x1,x1,1],[n,On,to,x1,v2,x1,x1,x1,1],[t,wl,to+" "+On,x1,v2+" "+On,x1,_l,x1,1],[e,wl+".{fff}",to+" "+On,x1,v2+" "+On,x1,_l,x1,1]];function p(h){return(b,g,w,P,k,T)=>{let y=[],C=k>=i,S=k>=l&&k<i,W=h(w),A=R1(W*e,3),Q=wr(W.getFullYear(),C?0:W.getMonth(),S||C?1:W.getDate()),U=R1(Q*e,3);if(S||C){let r1=S?k/l:0,G=C?k/i:0,D=A==U?A:R1(wr(Q.getFullYear()+G,Q.getMonth()+r1,1)*e,3),Y=new Date(Y1(D/e)),L=Y.getFullYear(),X=Y.getMonth();for(let j=0;D<=P;j++){let c1=wr(L+G*j,X+r1*j,1),B=c1-h(R1(c1*e,3));D=R1((+c1+B)*e,3),D<=P&&y.push(D)}}else{let r1=k>=r?r:k,G=De(w)-De(A),D=U+G+uo(A-U,r1);y.push(D);let Y=h(D),L=Y.getHours()+Y.getMinutes()/n+Y.getSeconds()/o,X=k/o,j=b.axes[g]._space,c1=T/j;for(;D=R1(D+k,e==1?0:3),!(D>P);)if(X>1){let B=De(R1(L+X,6))%24,p1=h(D).getHours()-B;p1>1&&(p1=-1),D-=p1*o,L=(L+X)%24;let k1=y[y.length-1];R1((D-k1)/k,3)*c1>=.7&&y.push(D)}else y.push(D)}return y}}return[f,c,p]}var[vu,bu,yu]=ra(1),[_u,wu,xu]=ra(.001);_2(2,-53,53,[1]);function xl(e,t){return e.map(n=>n.map((o,r)=>r==0||r==8||o==null?o:t(r==1||n[8]==0?o:n[1]+o)))}function kl(e,t){return(n,o,r,l,i)=>{let a=t.find(w=>i>=w[0])||t[t.length-1],f,c,p,h,b,g;return o.map(w=>{let P=e(w),k=P.getFullYear(),T=P.getMonth(),y=P.getDate(),C=P.getHours(),S=P.getMinutes(),W=P.getSeconds(),A=k!=f&&a[2]||T!=c&&a[3]||y!=p&&a[4]||C!=h&&a[5]||S!=b&&a[6]||W!=g&&a[7]||a[1];return f=k,c=T,p=y,h=C,b=S,g=W,A(P)})}}function ku(e,t){let n=Wr(t);return(o,r,l,i,a)=>r.map(f=>n(e(f)))}function wr(e,t,n){return new Date(e,t,n)}function Sl(e,t){return t(e)}var Su="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Pl(e,t){return(n,o,r,l)=>l==null?Nr:t(e(o))}function Pu(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function Tu(e,t){return e.series[t].fill(e,t)}var Mu={show:!0,live:!0,isolate:!1,mount:j4,markers:{show:!0,width:2,stroke:Pu,fill:Tu,dash:"solid"},idx:null,idxs:null,values:[]};function Cu(e,t){let n=e.cursor.points,o=Ie(),r=n.size(e,t);L1(o,h2,r),L1(o,g2,r);let l=r/-2;L1(o,"marginLeft",l),L1(o,"marginTop",l);let i=n.width(e,t,r);return i&&L1(o,"borderWidth",i),o}function Ru(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Eu(e,t){let n=e.series[t].points;return n._stroke||n._fill}function Du(e,t){return e.series[t].points.size}var xr=[0,0];function Au(e,t,n){return xr[0]=t,xr[1]=n,xr}function no(e,t,n,o=!0){return r=>{r.button==0&&(!o||r.target==t)&&n(r)}}function kr(e,t,n,o=!0){return r=>{(!o||r.target==t)&&n(r)}}var Ou={show:!0,x:!0,y:!0,lock:!1,move:Au,points:{one:!1,show:Cu,size:Du,width:0,stroke:Eu,fill:Ru},bind:{mousedown:no,mouseup:no,click:no,dblclick:no,mousemove:kr,mouseleave:kr,mouseenter:kr},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,o,r)=>o-r,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},sa={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Hr=j1({},sa,{filter:Bl}),ia=j1({},Hr,{size:10}),la=j1({},sa,{show:!1}),Ur='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',aa="bold "+Ur,ua=1.5,Tl={show:!0,scale:"x",stroke:Lr,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:aa,side:2,grid:Hr,ticks:ia,border:la,font:Ur,lineGap:ua,rotate:0},Lu="Value",Nu="Time",Ml={show:!0,scale:"x",auto:!1,sorted:1,min:C1,max:-C1,idxs:[]};function $u(e,t,n,o,r){return t.map(l=>l==null?"":Vr(l))}function Fu(e,t,n,o,r,l,i){let a=[],f=At.get(r)||0;n=i?n:R1(uo(n,r),f);for(let c=n;c<=o;c=R1(c+r,f))a.push(Object.is(c,-0)?0:c);return a}function Rr(e,t,n,o,r,l,i){let a=[],f=e.scales[e.axes[t].scale].log,c=f==10?gt:zl,p=De(c(n));r=Nn(f,p),f==10&&(r=Zt[Ge(r,Zt)]);let h=n,b=r*f;f==10&&(b=Zt[Ge(b,Zt)]);do a.push(h),h=h+r,f==10&&!At.has(h)&&(h=R1(h,At.get(r))),h>=b&&(r=h,b=r*f,f==10&&(b=Zt[Ge(b,Zt)]));while(h<=o);return a}function qu(e,t,n,o,r,l,i){let f=e.scales[e.axes[t].scale].asinh,c=o>f?Rr(e,t,ye(f,n),o,r):[f],p=o>=0&&n<=0?[0]:[];return(n<-f?Rr(e,t,ye(f,-o),-n,r):[f]).reverse().map(b=>-b).concat(p,c)}var ca=/./,Vu=/[12357]/,Iu=/[125]/,Cl=/1/,Er=(e,t,n,o)=>e.map((r,l)=>t==4&&r==0||l%o==0&&n.test(r.toExponential()[r<0?1:0])?r:null);function Wu(e,t,n,o,r){let l=e.axes[n],i=l.scale,a=e.scales[i],f=e.valToPos,c=l._space,p=f(10,i),h=f(9,i)-p>=c?ca:f(7,i)-p>=c?Vu:f(5,i)-p>=c?Iu:Cl;if(h==Cl){let b=J1(f(1,i)-p);if(b<c)return Er(t.slice().reverse(),a.distr,h,We(c/b)).reverse()}return Er(t,a.distr,h,1)}function zu(e,t,n,o,r){let l=e.axes[n],i=l.scale,a=l._space,f=e.valToPos,c=J1(f(1,i)-f(2,i));return c<a?Er(t.slice().reverse(),3,ca,We(a/c)).reverse():t}function Hu(e,t,n,o){return o==null?Nr:t==null?"":Vr(t)}var Rl={show:!0,scale:"y",stroke:Lr,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:aa,side:3,grid:Hr,ticks:ia,border:la,font:Ur,lineGap:ua,rotate:0};function Uu(e,t){let n=3+(e||1)*2;return R1(n*t,3)}function Bu(e,t){let{scale:n,idxs:o}=e.series[0],r=e._data[0],l=e.valToPos(r[o[0]],n,!0),i=e.valToPos(r[o[1]],n,!0),a=J1(i-l),f=e.series[t],c=a/(f.points.space*v1);return o[1]-o[0]<=c}var El={scale:null,auto:!0,sorted:0,min:C1,max:-C1},fa=(e,t,n,o,r)=>r,Dl={show:!0,auto:!0,sorted:0,gaps:fa,alpha:1,facets:[j1({},El,{scale:"x"}),j1({},El,{scale:"y"})]},Al={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:fa,alpha:1,points:{show:Bu,filter:null},values:null,min:C1,max:-C1,idxs:[],path:null,clip:null};function ju(e,t,n,o,r){return n/10}var da={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Ku=j1({},da,{time:!1,ori:1}),Ol={};function pa(e,t){let n=Ol[e];return n||(n={key:e,plots:[],sub(o){n.plots.push(o)},unsub(o){n.plots=n.plots.filter(r=>r!=o)},pub(o,r,l,i,a,f,c){for(let p=0;p<n.plots.length;p++)n.plots[p]!=r&&n.plots[p].pub(o,r,l,i,a,f,c)}},e!=null&&(Ol[e]=n)),n}var qn=1,Dr=2;function nn(e,t,n){let o=e.mode,r=e.series[t],l=o==2?e._data[t]:e._data,i=e.scales,a=e.bbox,f=l[0],c=o==2?l[1]:l[t],p=o==2?i[r.facets[0].scale]:i[e.series[0].scale],h=o==2?i[r.facets[1].scale]:i[r.scale],b=a.left,g=a.top,w=a.width,P=a.height,k=e.valToPosH,T=e.valToPosV;return p.ori==0?n(r,f,c,p,h,k,T,b,g,w,P,po,In,ho,ha,va):n(r,f,c,p,h,T,k,g,b,P,w,mo,Wn,Kr,ga,ba)}function Br(e,t){let n=0,o=0,r=h1(e.bands,Ir);for(let l=0;l<r.length;l++){let i=r[l];i.series[0]==t?n=i.dir:i.series[1]==t&&(i.dir==1?o|=1:o|=2)}return[n,o==1?-1:o==2?1:o==3?2:0]}function Gu(e,t,n,o,r){let l=e.mode,i=e.series[t],a=l==2?i.facets[1].scale:i.scale,f=e.scales[a];return r==-1?f.min:r==1?f.max:f.distr==3?f.dir==1?f.min:f.max:0}function vt(e,t,n,o,r,l){return nn(e,t,(i,a,f,c,p,h,b,g,w,P,k)=>{let T=i.pxRound,y=c.dir*(c.ori==0?1:-1),C=c.ori==0?In:Wn,S,W;y==1?(S=n,W=o):(S=o,W=n);let A=T(h(a[S],c,P,g)),Q=T(b(f[S],p,k,w)),U=T(h(a[W],c,P,g)),r1=T(b(l==1?p.max:p.min,p,k,w)),G=new Path2D(r);return C(G,U,r1),C(G,A,r1),C(G,A,Q),G})}function fo(e,t,n,o,r,l){let i=null;if(e.length>0){i=new Path2D;let a=t==0?ho:Kr,f=n;for(let h=0;h<e.length;h++){let b=e[h];if(b[1]>b[0]){let g=b[0]-f;g>0&&a(i,f,o,g,o+l),f=b[1]}}let c=n+r-f,p=10;c>0&&a(i,f,o-p/2,c,o+l+p)}return i}function Qu(e,t,n){let o=e[e.length-1];o&&o[0]==t?o[1]=n:e.push([t,n])}function jr(e,t,n,o,r,l,i){let a=[],f=e.length;for(let c=r==1?n:o;c>=n&&c<=o;c+=r)if(t[c]===null){let h=c,b=c;if(r==1)for(;++c<=o&&t[c]===null;)b=c;else for(;--c>=n&&t[c]===null;)b=c;let g=l(e[h]),w=b==h?g:l(e[b]),P=h-r;g=i<=0&&P>=0&&P<f?l(e[P]):g;let T=b+r;w=i>=0&&T>=0&&T<f?l(e[T]):w,w>=g&&a.push([g,w])}return a}function Ll(e){return e==0?Ul:e==1?Y1:t=>Jt(t,e)}function ma(e){let t=e==0?po:mo,n=e==0?(r,l,i,a,f,c)=>{r.arcTo(l,i,a,f,c)}:(r,l,i,a,f,c)=>{r.arcTo(i,l,f,a,c)},o=e==0?(r,l,i,a,f)=>{r.rect(l,i,a,f)}:(r,l,i,a,f)=>{r.rect(i,l,f,a)};return(r,l,i,a,f,c=0,p=0)=>{c==0&&p==0?o(r,l,i,a,f):(c=Qe(c,a/2,f/2),p=Qe(p,a/2,f/2),t(r,l+c,i),n(r,l+a,i,l+a,i+f,c),n(r,l+a,i+f,l,i+f,p),n(r,l,i+f,l,i,p),n(r,l,i,l+a,i,c),r.closePath())}}var po=(e,t,n)=>{e.moveTo(t,n)},mo=(e,t,n)=>{e.moveTo(n,t)},In=(e,t,n)=>{e.lineTo(t,n)},Wn=(e,t,n)=>{e.lineTo(n,t)},ho=ma(0),Kr=ma(1),ha=(e,t,n,o,r,l)=>{e.arc(t,n,o,r,l)},ga=(e,t,n,o,r,l)=>{e.arc(n,t,o,r,l)},va=(e,t,n,o,r,l,i)=>{e.bezierCurveTo(t,n,o,r,l,i)},ba=(e,t,n,o,r,l,i)=>{e.bezierCurveTo(n,t,r,o,i,l)};function ya(e){return(t,n,o,r,l)=>nn(t,n,(i,a,f,c,p,h,b,g,w,P,k)=>{let{pxRound:T,points:y}=i,C,S;c.ori==0?(C=po,S=ha):(C=mo,S=ga);let W=R1(y.width*v1,3),A=(y.size-y.width)/2*v1,Q=R1(A*2,3),U=new Path2D,r1=new Path2D,{left:G,top:D,width:Y,height:L}=t.bbox;ho(r1,G-Q,D-Q,Y+Q*2,L+Q*2);let X=j=>{if(f[j]!=null){let c1=T(h(a[j],c,P,g)),B=T(b(f[j],p,k,w));C(U,c1+A,B),S(U,c1,B,A,0,oo*2)}};if(l)l.forEach(X);else for(let j=o;j<=r;j++)X(j);return{stroke:W>0?U:null,fill:U,clip:r1,flags:qn|Dr}})}function _a(e){return(t,n,o,r,l,i)=>{o!=r&&(l!=o&&i!=o&&e(t,n,o),l!=r&&i!=r&&e(t,n,r),e(t,n,i))}}var Yu=_a(In),Ju=_a(Wn);function wa(e){let t=h1(e?.alignGaps,0);return(n,o,r,l)=>nn(n,o,(i,a,f,c,p,h,b,g,w,P,k)=>{[r,l]=lo(f,r,l);let T=i.pxRound,y=L=>T(h(L,c,P,g)),C=L=>T(b(L,p,k,w)),S,W;c.ori==0?(S=In,W=Yu):(S=Wn,W=Ju);let A=c.dir*(c.ori==0?1:-1),Q={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:qn},U=Q.stroke,r1=!1;if(l-r>=P*4){let L=z=>n.posToVal(z,c.key,!0),X=null,j=null,c1,B,_e,N1=y(a[A==1?r:l]),p1=y(a[r]),k1=y(a[l]),i1=L(A==1?p1+1:k1-1);for(let z=A==1?r:l;z>=r&&z<=l;z+=A){let K1=a[z],$1=(A==1?K1<i1:K1>i1)?N1:y(K1),b1=f[z];$1==N1?b1!=null?(B=b1,X==null?(S(U,$1,C(B)),c1=X=j=B):B<X?X=B:B>j&&(j=B)):b1===null&&(r1=!0):(X!=null&&W(U,N1,C(X),C(j),C(c1),C(B)),b1!=null?(B=b1,S(U,$1,C(B)),X=j=c1=B):(X=j=null,b1===null&&(r1=!0)),N1=$1,i1=L(N1+A))}X!=null&&X!=j&&_e!=N1&&W(U,N1,C(X),C(j),C(c1),C(B))}else for(let L=A==1?r:l;L>=r&&L<=l;L+=A){let X=f[L];X===null?r1=!0:X!=null&&S(U,y(a[L]),C(X))}let[D,Y]=Br(n,o);if(i.fill!=null||D!=0){let L=Q.fill=new Path2D(U),X=i.fillTo(n,o,i.min,i.max,D),j=C(X),c1=y(a[r]),B=y(a[l]);A==-1&&([B,c1]=[c1,B]),S(L,B,j),S(L,c1,j)}if(!i.spanGaps){let L=[];r1&&L.push(...jr(a,f,r,l,A,y,t)),Q.gaps=L=i.gaps(n,o,r,l,L),Q.clip=fo(L,c.ori,g,w,P,k)}return Y!=0&&(Q.band=Y==2?[vt(n,o,r,l,U,-1),vt(n,o,r,l,U,1)]:vt(n,o,r,l,U,Y)),Q})}function Zu(e){let t=h1(e.align,1),n=h1(e.ascDesc,!1),o=h1(e.alignGaps,0),r=h1(e.extend,!1);return(l,i,a,f)=>nn(l,i,(c,p,h,b,g,w,P,k,T,y,C)=>{[a,f]=lo(h,a,f);let S=c.pxRound,{left:W,width:A}=l.bbox,Q=p1=>S(w(p1,b,y,k)),U=p1=>S(P(p1,g,C,T)),r1=b.ori==0?In:Wn,G={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:qn},D=G.stroke,Y=b.dir*(b.ori==0?1:-1),L=U(h[Y==1?a:f]),X=Q(p[Y==1?a:f]),j=X,c1=X;r&&t==-1&&(c1=W,r1(D,c1,L)),r1(D,X,L);for(let p1=Y==1?a:f;p1>=a&&p1<=f;p1+=Y){let k1=h[p1];if(k1==null)continue;let i1=Q(p[p1]),z=U(k1);t==1?r1(D,i1,L):r1(D,j,z),r1(D,i1,z),L=z,j=i1}let B=j;r&&t==1&&(B=W+A,r1(D,B,L));let[_e,N1]=Br(l,i);if(c.fill!=null||_e!=0){let p1=G.fill=new Path2D(D),k1=c.fillTo(l,i,c.min,c.max,_e),i1=U(k1);r1(p1,B,i1),r1(p1,c1,i1)}if(!c.spanGaps){let p1=[];p1.push(...jr(p,h,a,f,Y,Q,o));let k1=c.width*v1/2,i1=n||t==1?k1:-k1,z=n||t==-1?-k1:k1;p1.forEach(K1=>{K1[0]+=i1,K1[1]+=z}),G.gaps=p1=c.gaps(l,i,a,f,p1),G.clip=fo(p1,b.ori,k,T,y,C)}return N1!=0&&(G.band=N1==2?[vt(l,i,a,f,D,-1),vt(l,i,a,f,D,1)]:vt(l,i,a,f,D,N1)),G})}function Nl(e,t,n,o,r,l,i=C1){if(e.length>1){let a=null;for(let f=0,c=1/0;f<e.length;f++)if(t[f]!==void 0){if(a!=null){let p=J1(e[f]-e[a]);p<c&&(c=p,i=J1(n(e[f],o,r,l)-n(e[a],o,r,l)))}a=f}}return i}function Xu(e){e=e||y2;let t=h1(e.size,[.6,C1,1]),n=e.align||0,o=e.gap||0,r=e.radius;r=r==null?[0,0]:typeof r=="number"?[r,0]:r;let l=u1(r),i=1-t[0],a=h1(t[1],C1),f=h1(t[2],1),c=h1(e.disp,y2),p=h1(e.each,g=>{}),{fill:h,stroke:b}=c;return(g,w,P,k)=>nn(g,w,(T,y,C,S,W,A,Q,U,r1,G,D)=>{let Y=T.pxRound,L=n,X=o*v1,j=a*v1,c1=f*v1,B,_e;S.ori==0?[B,_e]=l(g,w):[_e,B]=l(g,w);let N1=S.dir*(S.ori==0?1:-1),p1=S.ori==0?ho:Kr,k1=S.ori==0?p:(F,E1,G1,cn,qt,Je,Vt)=>{p(F,E1,G1,qt,cn,Vt,Je)},i1=h1(g.bands,Ir).find(F=>F.series[0]==w),z=i1!=null?i1.dir:0,K1=T.fillTo(g,w,T.min,T.max,z),ce=Y(Q(K1,W,D,r1)),$1,b1,ze,ke=G,I1=Y(T.width*v1),Ye=!1,ut=null,Oe=null,yt=null,ln=null;h!=null&&(I1==0||b!=null)&&(Ye=!0,ut=h.values(g,w,P,k),Oe=new Map,new Set(ut).forEach(F=>{F!=null&&Oe.set(F,new Path2D)}),I1>0&&(yt=b.values(g,w,P,k),ln=new Map,new Set(yt).forEach(F=>{F!=null&&ln.set(F,new Path2D)})));let{x0:an,size:Kn}=c;if(an!=null&&Kn!=null){L=1,y=an.values(g,w,P,k),an.unit==2&&(y=y.map(G1=>g.posToVal(U+G1*G,S.key,!0)));let F=Kn.values(g,w,P,k);Kn.unit==2?b1=F[0]*G:b1=A(F[0],S,G,U)-A(0,S,G,U),ke=Nl(y,C,A,S,G,U,ke),ze=ke-b1+X}else ke=Nl(y,C,A,S,G,U,ke),ze=ke*i+X,b1=ke-ze;ze<1&&(ze=0),I1>=b1/2&&(I1=0),ze<5&&(Y=Ul);let w2=ze>0,$t=ke-ze-(w2?I1:0);b1=Y(Cr($t,c1,j)),$1=(L==0?b1/2:L==N1?0:b1)-L*N1*((L==0?X/2:0)+(w2?I1/2:0));let fe={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},un=Ye?null:new Path2D,ct=null;if(i1!=null)ct=g.data[i1.series[1]];else{let{y0:F,y1:E1}=c;F!=null&&E1!=null&&(C=E1.values(g,w,P,k),ct=F.values(g,w,P,k))}let Ft=B*b1,n1=_e*b1;for(let F=N1==1?P:k;F>=P&&F<=k;F+=N1){let E1=C[F];if(E1==null)continue;if(ct!=null){let we=ct[F]??0;if(E1-we==0)continue;ce=Q(we,W,D,r1)}let G1=S.distr!=2||c!=null?y[F]:F,cn=A(G1,S,G,U),qt=Q(h1(E1,K1),W,D,r1),Je=Y(cn-$1),Vt=Y(ye(qt,ce)),Se=Y(Qe(qt,ce)),Le=Vt-Se;if(E1!=null){let we=E1<0?n1:Ft,He=E1<0?Ft:n1;Ye?(I1>0&&yt[F]!=null&&p1(ln.get(yt[F]),Je,Se+De(I1/2),b1,ye(0,Le-I1),we,He),ut[F]!=null&&p1(Oe.get(ut[F]),Je,Se+De(I1/2),b1,ye(0,Le-I1),we,He)):p1(un,Je,Se+De(I1/2),b1,ye(0,Le-I1),we,He),k1(g,w,F,Je-I1/2,Se,b1+I1,Le)}}return I1>0?fe.stroke=Ye?ln:un:Ye||(fe._fill=T.width==0?T._fill:T._stroke??T._fill,fe.width=0),fe.fill=Ye?Oe:un,fe})}function e5(e,t){let n=h1(t?.alignGaps,0);return(o,r,l,i)=>nn(o,r,(a,f,c,p,h,b,g,w,P,k,T)=>{[l,i]=lo(c,l,i);let y=a.pxRound,C=B=>y(b(B,p,k,w)),S=B=>y(g(B,h,T,P)),W,A,Q;p.ori==0?(W=po,Q=In,A=va):(W=mo,Q=Wn,A=ba);let U=p.dir*(p.ori==0?1:-1),r1=C(f[U==1?l:i]),G=r1,D=[],Y=[];for(let B=U==1?l:i;B>=l&&B<=i;B+=U)if(c[B]!=null){let N1=f[B],p1=C(N1);D.push(G=p1),Y.push(S(c[B]))}let L={stroke:e(D,Y,W,Q,A,y),fill:null,clip:null,band:null,gaps:null,flags:qn},X=L.stroke,[j,c1]=Br(o,r);if(a.fill!=null||j!=0){let B=L.fill=new Path2D(X),_e=a.fillTo(o,r,a.min,a.max,j),N1=S(_e);Q(B,G,N1),Q(B,r1,N1)}if(!a.spanGaps){let B=[];B.push(...jr(f,c,l,i,U,C,n)),L.gaps=B=a.gaps(o,r,l,i,B),L.clip=fo(B,p.ori,w,P,k,T)}return c1!=0&&(L.band=c1==2?[vt(o,r,l,i,X,-1),vt(o,r,l,i,X,1)]:vt(o,r,l,i,X,c1)),L})}function t5(e){return e5(n5,e)}function n5(e,t,n,o,r,l){let i=e.length;if(i<2)return null;let a=new Path2D;if(n(a,e[0],t[0]),i==2)o(a,e[1],t[1]);else{let f=Array(i),c=Array(i-1),p=Array(i-1),h=Array(i-1);for(let b=0;b<i-1;b++)p[b]=t[b+1]-t[b],h[b]=e[b+1]-e[b],c[b]=p[b]/h[b];f[0]=c[0];for(let b=1;b<i-1;b++)c[b]===0||c[b-1]===0||c[b-1]>0!=c[b]>0?f[b]=0:(f[b]=3*(h[b-1]+h[b])/((2*h[b]+h[b-1])/c[b-1]+(h[b]+2*h[b-1])/c[b]),isFinite(f[b])||(f[b]=0));f[i-1]=c[i-2];for(let b=0;b<i-1;b++)r(a,e[b]+h[b]/3,t[b]+f[b]*h[b]/3,e[b+1]-h[b]/3,t[b+1]-f[b+1]*h[b]/3,e[b+1],t[b+1])}return a}var Ar=new Set;function $l(){for(let e of Ar)e.syncRect(!0)}Vn&&(en($4,Ln,$l),en(F4,Ln,$l,!0),en(ro,Ln,()=>{Z1.pxRatio=v1}));var o5=wa(),r5=ya();function Fl(e,t,n,o){return(o?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((l,i)=>Or(l,i,t,n))}function s5(e,t){return e.map((n,o)=>o==0?{}:j1({},t,n))}function Or(e,t,n,o){return j1({},t==0?n:o,e)}function xa(e,t,n){return t==null?$n:[t,n]}var i5=xa;function l5(e,t,n){return t==null?$n:so(t,n,qr,!0)}function ka(e,t,n,o){return t==null?$n:ao(t,n,e.scales[o].log,!1)}var a5=ka;function Sa(e,t,n,o){return t==null?$n:Fr(t,n,e.scales[o].log,!1)}var u5=Sa;function c5(e,t,n,o,r){let l=ye(hl(e),hl(t)),i=t-e,a=Ge(r/o*i,n);do{let f=n[a],c=o*f/i;if(c>=r&&l+(f<5?At.get(f):0)<=17)return[f,c]}while(++a<n.length);return[0,0]}function ql(e){let t,n;return e=e.replace(/(\d+)px/,(o,r)=>(t=Y1((n=+r)*v1))+"px"),[e,t,n]}function f5(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=R1(t[2]*v1,1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Z1(e,t,n){let o={mode:h1(e.mode,1)},r=o.mode;function l(u,d,m,v){let _=d.valToPct(u);return v+m*(d.dir==-1?1-_:_)}function i(u,d,m,v){let _=d.valToPct(u);return v+m*(d.dir==-1?_:1-_)}function a(u,d,m,v){return d.ori==0?l(u,d,m,v):i(u,d,m,v)}o.valToPosH=l,o.valToPosV=i;let f=!1;o.status=0;let c=o.root=Ie(b4);if(e.id!=null&&(c.id=e.id),Ee(c,e.class),e.title){let u=Ie(w4,c);u.textContent=e.title}let p=Ke("canvas"),h=o.ctx=p.getContext("2d"),b=Ie(x4,c);en("click",b,u=>{u.target===w&&(D1!=wn||F1!=xn)&&le.click(o,u)},!0);let g=o.under=Ie(k4,b);b.appendChild(p);let w=o.over=Ie(S4,b);e=Fn(e);let P=+h1(e.pxAlign,1),k=Ll(P);(e.plugins||[]).forEach(u=>{u.opts&&(e=u.opts(o,e)||e)});let T=e.ms||.001,y=o.series=r==1?Fl(e.series||[],Ml,Al,!1):s5(e.series||[null],Dl),C=o.axes=Fl(e.axes||[],Tl,Rl,!0),S=o.scales={},W=o.bands=e.bands||[];W.forEach(u=>{u.fill=u1(u.fill||null),u.dir=h1(u.dir,-1)});let A=r==2?y[1].facets[0].scale:y[0].scale,Q={axes:E3,series:P3},U=(e.drawOrder||["axes","series"]).map(u=>Q[u]);function r1(u){let d=u.distr==3?m=>gt(m>0?m:u.clamp(o,m,u.min,u.max,u.key)):u.distr==4?m=>_r(m,u.asinh):u.distr==100?m=>u.fwd(m):m=>m;return m=>{let v=d(m),{_min:_,_max:x}=u,M=x-_;return(v-_)/M}}function G(u){let d=S[u];if(d==null){let m=(e.scales||y2)[u]||y2;if(m.from!=null){G(m.from);let v=j1({},S[m.from],m,{key:u});v.valToPct=r1(v),S[u]=v}else{d=S[u]=j1({},u==A?da:Ku,m),d.key=u;let v=d.time,_=d.range,x=Dt(_);if((u!=A||r==2&&!v)&&(x&&(_[0]==null||_[1]==null)&&(_={min:_[0]==null?dl:{mode:1,hard:_[0],soft:_[0]},max:_[1]==null?dl:{mode:1,hard:_[1],soft:_[1]}},x=!1),!x&&co(_))){let M=_;_=(R,E,O)=>E==null?$n:so(E,O,M)}d.range=u1(_||(v?i5:u==A?d.distr==3?a5:d.distr==4?u5:xa:d.distr==3?ka:d.distr==4?Sa:l5)),d.auto=u1(x?!1:d.auto),d.clamp=u1(d.clamp||ju),d._min=d._max=null,d.valToPct=r1(d)}}}G("x"),G("y"),r==1&&y.forEach(u=>{G(u.scale)}),C.forEach(u=>{G(u.scale)});for(let u in e.scales)G(u);let D=S[A],Y=D.distr,L,X;D.ori==0?(Ee(c,y4),L=l,X=i):(Ee(c,_4),L=i,X=l);let j={};for(let u in S){let d=S[u];(d.min!=null||d.max!=null)&&(j[u]={min:d.min,max:d.max},d.min=d.max=null)}let c1=e.tzDate||(u=>new Date(Y1(u/T))),B=e.fmtDate||Wr,_e=T==1?yu(c1):xu(c1),N1=kl(c1,xl(T==1?bu:wu,B)),p1=Pl(c1,Sl(Su,B)),k1=[],i1=o.legend=j1({},Mu,e.legend),z=o.cursor=j1({},Ou,{drag:{y:r==2}},e.cursor),K1=i1.show,ce=z.show,$1=i1.markers;i1.idxs=k1,$1.width=u1($1.width),$1.dash=u1($1.dash),$1.stroke=u1($1.stroke),$1.fill=u1($1.fill);let b1,ze,ke,I1=[],Ye=[],ut,Oe=!1,yt={};if(i1.live){let u=y[1]?y[1].values:null;Oe=u!=null,ut=Oe?u(o,1,0):{_:0};for(let d in ut)yt[d]=Nr}if(K1)if(b1=Ke("table",E4,c),ke=Ke("tbody",null,b1),i1.mount(o,b1),Oe){ze=Ke("thead",null,b1,ke);let u=Ke("tr",null,ze);Ke("th",null,u);for(var ln in ut)Ke("th",Xi,u).textContent=ln}else Ee(b1,A4),i1.live&&Ee(b1,D4);let an={show:!0},Kn={show:!1};function w2(u,d){if(d==0&&(Oe||!i1.live||r==2))return $n;let m=[],v=Ke("tr",O4,ke,ke.childNodes[d]);Ee(v,u.class),u.show||Ee(v,Xt);let _=Ke("th",null,v);if($1.show){let R=Ie(L4,_);if(d>0){let E=$1.width(o,d);E&&(R.style.border=E+"px "+$1.dash(o,d)+" "+$1.stroke(o,d)),R.style.background=$1.fill(o,d)}}let x=Ie(Xi,_);u.label instanceof HTMLElement?x.appendChild(u.label):x.textContent=u.label,d>0&&($1.show||(x.style.color=u.width>0?$1.stroke(o,d):$1.fill(o,d)),fe("click",_,R=>{if(z._lock)return;Wt(R);let E=y.indexOf(u);if((R.ctrlKey||R.metaKey)!=i1.isolate){let O=y.some((N,q)=>q>0&&q!=E&&N.show);y.forEach((N,q)=>{q>0&&Xe(q,O?q==E?an:Kn:an,!0,U1.setSeries)})}else Xe(E,{show:!u.show},!0,U1.setSeries)},!1),dn&&fe(ol,_,R=>{z._lock||(Wt(R),Xe(y.indexOf(u),Sn,!0,U1.setSeries))},!1));for(var M in ut){let R=Ke("td",N4,v);R.textContent="--",m.push(R)}return[v,m]}let $t=new Map;function fe(u,d,m,v=!0){let _=$t.get(d)||{},x=z.bind[u](o,d,m,v);x&&(en(u,d,_[u]=x),$t.set(d,_))}function un(u,d,m){let v=$t.get(d)||{};for(let _ in v)(u==null||_==u)&&(Mr(_,d,v[_]),delete v[_]);u==null&&$t.delete(d)}let ct=0,Ft=0,n1=0,F=0,E1=0,G1=0,cn=E1,qt=G1,Je=n1,Vt=F,Se=0,Le=0,we=0,He=0;o.bbox={};let So=!1,x2=!1,fn=!1,It=!1,k2=!1,Ne=!1;function Po(u,d,m){(m||u!=o.width||d!=o.height)&&os(u,d),vn(!1),fn=!0,x2=!0,bn()}function os(u,d){o.width=ct=n1=u,o.height=Ft=F=d,E1=G1=0,b3(),y3();let m=o.bbox;Se=m.left=Jt(E1*v1,.5),Le=m.top=Jt(G1*v1,.5),we=m.width=Jt(n1*v1,.5),He=m.height=Jt(F*v1,.5)}let h3=3;function g3(){let u=!1,d=0;for(;!u;){d++;let m=C3(d),v=R3(d);u=d==h3||m&&v,u||(os(o.width,o.height),x2=!0)}}function v3({width:u,height:d}){Po(u,d)}o.setSize=v3;function b3(){let u=!1,d=!1,m=!1,v=!1;C.forEach((_,x)=>{if(_.show&&_._show){let{side:M,_size:R}=_,E=M%2,O=_.label!=null?_.labelSize:0,N=R+O;N>0&&(E?(n1-=N,M==3?(E1+=N,v=!0):m=!0):(F-=N,M==0?(G1+=N,u=!0):d=!0))}}),zt[0]=u,zt[1]=m,zt[2]=d,zt[3]=v,n1-=_t[1]+_t[3],E1+=_t[3],F-=_t[2]+_t[0],G1+=_t[0]}function y3(){let u=E1+n1,d=G1+F,m=E1,v=G1;function _(x,M){switch(x){case 1:return u+=M,u-M;case 2:return d+=M,d-M;case 3:return m-=M,m+M;case 0:return v-=M,v+M}}C.forEach((x,M)=>{if(x.show&&x._show){let R=x.side;x._pos=_(R,x._size),x.label!=null&&(x._lpos=_(R,x.labelSize))}})}if(z.dataIdx==null){let u=z.hover,d=u.skip=new Set(u.skip??[]);d.add(void 0);let m=u.prox=u1(u.prox),v=u.bias??=0;z.dataIdx=(_,x,M,R)=>{if(x==0)return M;let E=M,O=m(_,x,M,R)??C1,N=O>=0&&O<C1,q=D.ori==0?n1:F,e1=z.left,g1=t[0],m1=t[x];if(d.has(m1[M])){E=null;let a1=null,J=null,H;if(v==0||v==-1)for(H=M;a1==null&&H-- >0;)d.has(m1[H])||(a1=H);if(v==0||v==1)for(H=M;J==null&&H++<m1.length;)d.has(m1[H])||(J=H);if(a1!=null||J!=null)if(N){let O1=a1==null?-1/0:L(g1[a1],D,q,0),W1=J==null?1/0:L(g1[J],D,q,0),re=e1-O1,S1=W1-e1;re<=S1?re<=O&&(E=a1):S1<=O&&(E=J)}else E=J==null?a1:a1==null?J:M-a1<=J-M?a1:J}else N&&J1(e1-L(g1[M],D,q,0))>O&&(E=null);return E}}let Wt=u=>{z.event=u};z.idxs=k1,z._lock=!1;let ae=z.points;ae.show=u1(ae.show),ae.size=u1(ae.size),ae.stroke=u1(ae.stroke),ae.width=u1(ae.width),ae.fill=u1(ae.fill);let Ze=o.focus=j1({},e.focus||{alpha:.3},z.focus),dn=Ze.prox>=0,pn=dn&&ae.one,$e=[],mn=[],hn=[];function rs(u,d){let m=ae.show(o,d);if(m instanceof HTMLElement)return Ee(m,R4),Ee(m,u.class),lt(m,-10,-10,n1,F),w.insertBefore(m,$e[d]),m}function ss(u,d){if(r==1||d>0){let m=r==1&&S[u.scale].time,v=u.value;u.value=m?bl(v)?Pl(c1,Sl(v,B)):v||p1:v||Hu,u.label=u.label||(m?Nu:Lu)}if(pn||d>0){u.width=u.width==null?1:u.width,u.paths=u.paths||o5||K4,u.fillTo=u1(u.fillTo||Gu),u.pxAlign=+h1(u.pxAlign,P),u.pxRound=Ll(u.pxAlign),u.stroke=u1(u.stroke||null),u.fill=u1(u.fill||null),u._stroke=u._fill=u._paths=u._focus=null;let m=Uu(ye(1,u.width),1),v=u.points=j1({},{size:m,width:ye(1,m*.2),stroke:u.stroke,space:m*2,paths:r5,_stroke:null,_fill:null},u.points);v.show=u1(v.show),v.filter=u1(v.filter),v.fill=u1(v.fill),v.stroke=u1(v.stroke),v.paths=u1(v.paths),v.pxAlign=u.pxAlign}if(K1){let m=w2(u,d);I1.splice(d,0,m[0]),Ye.splice(d,0,m[1]),i1.values.push(null)}if(ce){k1.splice(d,0,null);let m=null;pn?d==0&&(m=rs(u,d)):d>0&&(m=rs(u,d)),$e.splice(d,0,m),mn.splice(d,0,0),hn.splice(d,0,0)}oe("addSeries",d)}function _3(u,d){d=d??y.length,u=r==1?Or(u,d,Ml,Al):Or(u,d,{},Dl),y.splice(d,0,u),ss(y[d],d)}o.addSeries=_3;function w3(u){if(y.splice(u,1),K1){i1.values.splice(u,1),Ye.splice(u,1);let d=I1.splice(u,1)[0];un(null,d.firstChild),d.remove()}ce&&(k1.splice(u,1),$e.splice(u,1)[0].remove(),mn.splice(u,1),hn.splice(u,1)),oe("delSeries",u)}o.delSeries=w3;let zt=[!1,!1,!1,!1];function x3(u,d){if(u._show=u.show,u.show){let m=u.side%2,v=S[u.scale];v==null&&(u.scale=m?y[1].scale:A,v=S[u.scale]);let _=v.time;u.size=u1(u.size),u.space=u1(u.space),u.rotate=u1(u.rotate),Dt(u.incrs)&&u.incrs.forEach(M=>{!At.has(M)&&At.set(M,Kl(M))}),u.incrs=u1(u.incrs||(v.distr==2?hu:_?T==1?vu:_u:Zt)),u.splits=u1(u.splits||(_&&v.distr==1?_e:v.distr==3?Rr:v.distr==4?qu:Fu)),u.stroke=u1(u.stroke),u.grid.stroke=u1(u.grid.stroke),u.ticks.stroke=u1(u.ticks.stroke),u.border.stroke=u1(u.border.stroke);let x=u.values;u.values=Dt(x)&&!Dt(x[0])?u1(x):_?Dt(x)?kl(c1,xl(x,B)):bl(x)?ku(c1,x):x||N1:x||$u,u.filter=u1(u.filter||(v.distr>=3&&v.log==10?Wu:v.distr==3&&v.log==2?zu:Bl)),u.font=ql(u.font),u.labelFont=ql(u.labelFont),u._size=u.size(o,null,d,0),u._space=u._rotate=u._incrs=u._found=u._splits=u._values=null,u._size>0&&(zt[d]=!0,u._el=Ie(P4,b))}}function Gn(u,d,m,v){let[_,x,M,R]=m,E=d%2,O=0;return E==0&&(R||x)&&(O=d==0&&!_||d==2&&!M?Y1(Tl.size/3):0),E==1&&(_||M)&&(O=d==1&&!x||d==3&&!R?Y1(Rl.size/2):0),O}let is=o.padding=(e.padding||[Gn,Gn,Gn,Gn]).map(u=>u1(h1(u,Gn))),_t=o._padding=is.map((u,d)=>u(o,d,zt,0)),ie,X1=null,ee=null,S2=r==1?y[0].idxs:null,Ue=null,Qn=!1;function ls(u,d){if(t=u??[],o.data=o._data=t,r==2){ie=0;for(let m=1;m<y.length;m++)ie+=t[m][0].length}else{t.length==0&&(o.data=o._data=t=[[]]),Ue=t[0],ie=Ue.length;let m=t;if(Y==2){m=t.slice();let v=m[0]=Array(ie);for(let _=0;_<ie;_++)v[_]=_}o._data=t=m}if(vn(!0),oe("setData"),Y==2&&(fn=!0),d!==!1){let m=D;m.auto(o,Qn)?To():xt(A,m.min,m.max),It=It||z.left>=0,Ne=!0,bn()}}o.setData=ls;function To(){Qn=!0;let u,d;r==1&&(ie>0?(X1=S2[0]=0,ee=S2[1]=ie-1,u=t[0][X1],d=t[0][ee],Y==2?(u=X1,d=ee):u==d&&(Y==3?[u,d]=ao(u,u,D.log,!1):Y==4?[u,d]=Fr(u,u,D.log,!1):D.time?d=u+Y1(86400/T):[u,d]=so(u,d,qr,!0))):(X1=S2[0]=u=null,ee=S2[1]=d=null)),xt(A,u,d)}let P2,gn,Mo,Co,Ro,Eo,Do,Ao,Oo,xe;function as(u,d,m,v,_,x){u??=tl,m??=Ir,v??="butt",_??=tl,x??="round",u!=P2&&(h.strokeStyle=P2=u),_!=gn&&(h.fillStyle=gn=_),d!=Mo&&(h.lineWidth=Mo=d),x!=Ro&&(h.lineJoin=Ro=x),v!=Eo&&(h.lineCap=Eo=v),m!=Co&&h.setLineDash(Co=m)}function us(u,d,m,v){d!=gn&&(h.fillStyle=gn=d),u!=Do&&(h.font=Do=u),m!=Ao&&(h.textAlign=Ao=m),v!=Oo&&(h.textBaseline=Oo=v)}function Lo(u,d,m,v,_=0){if(v.length>0&&u.auto(o,Qn)&&(d==null||d.min==null)){let x=h1(X1,0),M=h1(ee,v.length-1),R=m.min==null?W4(v,x,M,_,u.distr==3):[m.min,m.max];u.min=Qe(u.min,m.min=R[0]),u.max=ye(u.max,m.max=R[1])}}let cs={min:null,max:null};function k3(){for(let v in S){let _=S[v];j[v]==null&&(_.min==null||j[A]!=null&&_.auto(o,Qn))&&(j[v]=cs)}for(let v in S){let _=S[v];j[v]==null&&_.from!=null&&j[_.from]!=null&&(j[v]=cs)}j[A]!=null&&vn(!0);let u={};for(let v in j){let _=j[v];if(_!=null){let x=u[v]=Fn(S[v],Y4);if(_.min!=null)j1(x,_);else if(v!=A||r==2)if(ie==0&&x.from==null){let M=x.range(o,null,null,v);x.min=M[0],x.max=M[1]}else x.min=C1,x.max=-C1}}if(ie>0){y.forEach((v,_)=>{if(r==1){let x=v.scale,M=j[x];if(M==null)return;let R=u[x];if(_==0){let E=R.range(o,R.min,R.max,x);R.min=E[0],R.max=E[1],X1=Ge(R.min,t[0]),ee=Ge(R.max,t[0]),ee-X1>1&&(t[0][X1]<R.min&&X1++,t[0][ee]>R.max&&ee--),v.min=Ue[X1],v.max=Ue[ee]}else v.show&&v.auto&&Lo(R,M,v,t[_],v.sorted);v.idxs[0]=X1,v.idxs[1]=ee}else if(_>0&&v.show&&v.auto){let[x,M]=v.facets,R=x.scale,E=M.scale,[O,N]=t[_],q=u[R],e1=u[E];q!=null&&Lo(q,j[R],x,O,x.sorted),e1!=null&&Lo(e1,j[E],M,N,M.sorted),v.min=M.min,v.max=M.max}});for(let v in u){let _=u[v],x=j[v];if(_.from==null&&(x==null||x.min==null)){let M=_.range(o,_.min==C1?null:_.min,_.max==-C1?null:_.max,v);_.min=M[0],_.max=M[1]}}}for(let v in u){let _=u[v];if(_.from!=null){let x=u[_.from];if(x.min==null)_.min=_.max=null;else{let M=_.range(o,x.min,x.max,v);_.min=M[0],_.max=M[1]}}}let d={},m=!1;for(let v in u){let _=u[v],x=S[v];if(x.min!=_.min||x.max!=_.max){x.min=_.min,x.max=_.max;let M=x.distr;x._min=M==3?gt(x.min):M==4?_r(x.min,x.asinh):M==100?x.fwd(x.min):x.min,x._max=M==3?gt(x.max):M==4?_r(x.max,x.asinh):M==100?x.fwd(x.max):x.max,d[v]=m=!0}}if(m){y.forEach((v,_)=>{r==2?_>0&&d.y&&(v._paths=null):d[v.scale]&&(v._paths=null)});for(let v in d)fn=!0,oe("setScale",v);ce&&z.left>=0&&(It=Ne=!0)}for(let v in j)j[v]=null}function S3(u){let d=Cr(X1-1,0,ie-1),m=Cr(ee+1,0,ie-1);for(;u[d]==null&&d>0;)d--;for(;u[m]==null&&m<ie-1;)m++;return[d,m]}function P3(){if(ie>0){let u=y.some(d=>d._focus)&&xe!=Ze.alpha;u&&(h.globalAlpha=xe=Ze.alpha),y.forEach((d,m)=>{if(m>0&&d.show&&(fs(m,!1),fs(m,!0),d._paths==null)){let v=xe;xe!=d.alpha&&(h.globalAlpha=xe=d.alpha);let _=r==2?[0,t[m][0].length-1]:S3(t[m]);d._paths=d.paths(o,m,_[0],_[1]),xe!=v&&(h.globalAlpha=xe=v)}}),y.forEach((d,m)=>{if(m>0&&d.show){let v=xe;xe!=d.alpha&&(h.globalAlpha=xe=d.alpha),d._paths!=null&&ds(m,!1);{let _=d._paths!=null?d._paths.gaps:null,x=d.points.show(o,m,X1,ee,_),M=d.points.filter(o,m,x,_);(x||M)&&(d.points._paths=d.points.paths(o,m,X1,ee,M),ds(m,!0))}xe!=v&&(h.globalAlpha=xe=v),oe("drawSeries",m)}}),u&&(h.globalAlpha=xe=1)}}function fs(u,d){let m=d?y[u].points:y[u];m._stroke=m.stroke(o,u),m._fill=m.fill(o,u)}function ds(u,d){let m=d?y[u].points:y[u],{stroke:v,fill:_,clip:x,flags:M,_stroke:R=m._stroke,_fill:E=m._fill,_width:O=m.width}=m._paths;O=R1(O*v1,3);let N=null,q=O%2/2;d&&E==null&&(E=O>0?"#fff":R);let e1=m.pxAlign==1&&q>0;if(e1&&h.translate(q,q),!d){let g1=Se-O/2,m1=Le-O/2,a1=we+O,J=He+O;N=new Path2D,N.rect(g1,m1,a1,J)}d?No(R,O,m.dash,m.cap,E,v,_,M,x):T3(u,R,O,m.dash,m.cap,E,v,_,M,N,x),e1&&h.translate(-q,-q)}function T3(u,d,m,v,_,x,M,R,E,O,N){let q=!1;E!=0&&W.forEach((e1,g1)=>{if(e1.series[0]==u){let m1=y[e1.series[1]],a1=t[e1.series[1]],J=(m1._paths||y2).band;Dt(J)&&(J=e1.dir==1?J[0]:J[1]);let H,O1=null;m1.show&&J&&H4(a1,X1,ee)?(O1=e1.fill(o,g1)||x,H=m1._paths.clip):J=null,No(d,m,v,_,O1,M,R,E,O,N,H,J),q=!0}}),q||No(d,m,v,_,x,M,R,E,O,N)}let ps=qn|Dr;function No(u,d,m,v,_,x,M,R,E,O,N,q){as(u,d,m,v,_),(E||O||q)&&(h.save(),E&&h.clip(E),O&&h.clip(O)),q?(R&ps)==ps?(h.clip(q),N&&h.clip(N),M2(_,M),T2(u,x,d)):R&Dr?(M2(_,M),h.clip(q),T2(u,x,d)):R&qn&&(h.save(),h.clip(q),N&&h.clip(N),M2(_,M),h.restore(),T2(u,x,d)):(M2(_,M),T2(u,x,d)),(E||O||q)&&h.restore()}function T2(u,d,m){m>0&&(d instanceof Map?d.forEach((v,_)=>{h.strokeStyle=P2=_,h.stroke(v)}):d!=null&&u&&h.stroke(d))}function M2(u,d){d instanceof Map?d.forEach((m,v)=>{h.fillStyle=gn=v,h.fill(m)}):d!=null&&u&&h.fill(d)}function M3(u,d,m,v){let _=C[u],x;if(v<=0)x=[0,0];else{let M=_._space=_.space(o,u,d,m,v),R=_._incrs=_.incrs(o,u,d,m,v,M);x=c5(d,m,R,v,M)}return _._found=x}function $o(u,d,m,v,_,x,M,R,E,O){let N=M%2/2;P==1&&h.translate(N,N),as(R,M,E,O,R),h.beginPath();let q,e1,g1,m1,a1=_+(v==0||v==3?-x:x);m==0?(e1=_,m1=a1):(q=_,g1=a1);for(let J=0;J<u.length;J++)d[J]!=null&&(m==0?q=g1=u[J]:e1=m1=u[J],h.moveTo(q,e1),h.lineTo(g1,m1));h.stroke(),P==1&&h.translate(-N,-N)}function C3(u){let d=!0;return C.forEach((m,v)=>{if(!m.show)return;let _=S[m.scale];if(_.min==null){m._show&&(d=!1,m._show=!1,vn(!1));return}else m._show||(d=!1,m._show=!0,vn(!1));let x=m.side,M=x%2,{min:R,max:E}=_,[O,N]=M3(v,R,E,M==0?n1:F);if(N==0)return;let q=_.distr==2,e1=m._splits=m.splits(o,v,R,E,O,N,q),g1=_.distr==2?e1.map(H=>Ue[H]):e1,m1=_.distr==2?Ue[e1[1]]-Ue[e1[0]]:O,a1=m._values=m.values(o,m.filter(o,g1,v,N,m1),v,N,m1);m._rotate=x==2?m.rotate(o,a1,v,N):0;let J=m._size;m._size=We(m.size(o,a1,v,u)),J!=null&&m._size!=J&&(d=!1)}),d}function R3(u){let d=!0;return is.forEach((m,v)=>{let _=m(o,v,zt,u);_!=_t[v]&&(d=!1),_t[v]=_}),d}function E3(){for(let u=0;u<C.length;u++){let d=C[u];if(!d.show||!d._show)continue;let m=d.side,v=m%2,_,x,M=d.stroke(o,u),R=m==0||m==3?-1:1,[E,O]=d._found;if(d.label!=null){let pe=d.labelGap*R,Me=Y1((d._lpos+pe)*v1);us(d.labelFont[0],M,"center",m==2?"top":el),h.save(),v==1?(_=x=0,h.translate(Me,Y1(Le+He/2)),h.rotate((m==3?-oo:oo)/2)):(_=Y1(Se+we/2),x=Me);let Bt=Hl(d.label)?d.label(o,u,E,O):d.label;h.fillText(Bt,_,x),h.restore()}if(O==0)continue;let N=S[d.scale],q=v==0?we:He,e1=v==0?Se:Le,g1=d._splits,m1=N.distr==2?g1.map(pe=>Ue[pe]):g1,a1=N.distr==2?Ue[g1[1]]-Ue[g1[0]]:E,J=d.ticks,H=d.border,O1=J.show?J.size:0,W1=Y1(O1*v1),re=Y1((d.alignTo==2?d._size-O1-d.gap:d.gap)*v1),S1=d._rotate*-oo/180,z1=k(d._pos*v1),Pe=(W1+re)*R,de=z1+Pe;x=v==0?de:0,_=v==1?de:0;let Fe=d.font[0],Be=d.align==1?An:d.align==2?vr:S1>0?An:S1<0?vr:v==0?"center":m==3?vr:An,tt=S1||v==1?"middle":m==2?"top":el;us(Fe,M,Be,tt);let Te=d.font[1]*d.lineGap,qe=g1.map(pe=>k(a(pe,N,q,e1))),je=d._values;for(let pe=0;pe<je.length;pe++){let Me=je[pe];if(Me!=null){v==0?_=qe[pe]:x=qe[pe],Me=""+Me;let Bt=Me.indexOf(`
`)==-1?[Me]:Me.split(/\n/gm);for(let me=0;me<Bt.length;me++){let As=Bt[me];S1?(h.save(),h.translate(_,x+me*Te),h.rotate(S1),h.fillText(As,0,0),h.restore()):h.fillText(As,_,x+me*Te)}}}J.show&&$o(qe,J.filter(o,m1,u,O,a1),v,m,z1,W1,R1(J.width*v1,3),J.stroke(o,u),J.dash,J.cap);let nt=d.grid;nt.show&&$o(qe,nt.filter(o,m1,u,O,a1),v,v==0?2:1,v==0?Le:Se,v==0?He:we,R1(nt.width*v1,3),nt.stroke(o,u),nt.dash,nt.cap),H.show&&$o([z1],[1],v==0?1:0,v==0?1:2,v==1?Le:Se,v==1?He:we,R1(H.width*v1,3),H.stroke(o,u),H.dash,H.cap)}oe("drawAxes")}function vn(u){y.forEach((d,m)=>{m>0&&(d._paths=null,u&&(r==1?(d.min=null,d.max=null):d.facets.forEach(v=>{v.min=null,v.max=null})))})}let C2=!1,Fo=!1,Yn=[];function D3(){Fo=!1;for(let u=0;u<Yn.length;u++)oe(...Yn[u]);Yn.length=0}function bn(){C2||(ou(ms),C2=!0)}function A3(u,d=!1){C2=!0,Fo=d,u(o),ms(),d&&Yn.length>0&&queueMicrotask(D3)}o.batch=A3;function ms(){if(So&&(k3(),So=!1),fn&&(g3(),fn=!1),x2){if(L1(g,An,E1),L1(g,"top",G1),L1(g,h2,n1),L1(g,g2,F),L1(w,An,E1),L1(w,"top",G1),L1(w,h2,n1),L1(w,g2,F),L1(b,h2,ct),L1(b,g2,Ft),p.width=Y1(ct*v1),p.height=Y1(Ft*v1),C.forEach(({_el:u,_show:d,_size:m,_pos:v,side:_})=>{if(u!=null)if(d){let x=_===3||_===0?m:0,M=_%2==1;L1(u,M?"left":"top",v-x),L1(u,M?"width":"height",m),L1(u,M?"top":"left",M?G1:E1),L1(u,M?"height":"width",M?F:n1),Tr(u,Xt)}else Ee(u,Xt)}),P2=gn=Mo=Ro=Eo=Do=Ao=Oo=Co=null,xe=1,Xn(!0),E1!=cn||G1!=qt||n1!=Je||F!=Vt){vn(!1);let u=n1/Je,d=F/Vt;if(ce&&!It&&z.left>=0){z.left*=u,z.top*=d,yn&&lt(yn,Y1(z.left),0,n1,F),_n&&lt(_n,0,Y1(z.top),n1,F);for(let m=0;m<$e.length;m++){let v=$e[m];v!=null&&(mn[m]*=u,hn[m]*=d,lt(v,We(mn[m]),We(hn[m]),n1,F))}}if(A1.show&&!k2&&A1.left>=0&&A1.width>0){A1.left*=u,A1.width*=u,A1.top*=d,A1.height*=d;for(let m in Ho)L1(kn,m,A1[m])}cn=E1,qt=G1,Je=n1,Vt=F}oe("setSize"),x2=!1}ct>0&&Ft>0&&(h.clearRect(0,0,p.width,p.height),oe("drawClear"),U.forEach(u=>u()),oe("draw")),A1.show&&k2&&(R2(A1),k2=!1),ce&&It&&(Ut(null,!0,!1),It=!1),i1.show&&i1.live&&Ne&&(Wo(),Ne=!1),f||(f=!0,o.status=1,oe("ready")),Qn=!1,C2=!1}o.redraw=(u,d)=>{fn=d||!1,u!==!1?xt(A,D.min,D.max):bn()};function qo(u,d){let m=S[u];if(m.from==null){if(ie==0){let v=m.range(o,d.min,d.max,u);d.min=v[0],d.max=v[1]}if(d.min>d.max){let v=d.min;d.min=d.max,d.max=v}if(ie>1&&d.min!=null&&d.max!=null&&d.max-d.min<1e-16)return;u==A&&m.distr==2&&ie>0&&(d.min=Ge(d.min,t[0]),d.max=Ge(d.max,t[0]),d.min==d.max&&d.max++),j[u]=d,So=!0,bn()}}o.setScale=qo;let Vo,Io,yn,_n,hs,gs,wn,xn,vs,bs,D1,F1,wt=!1,le=z.drag,te=le.x,ne=le.y;ce&&(z.x&&(Vo=Ie(M4,w)),z.y&&(Io=Ie(C4,w)),D.ori==0?(yn=Vo,_n=Io):(yn=Io,_n=Vo),D1=z.left,F1=z.top);let A1=o.select=j1({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),kn=A1.show?Ie(T4,A1.over?w:g):null;function R2(u,d){if(A1.show){for(let m in u)A1[m]=u[m],m in Ho&&L1(kn,m,u[m]);d!==!1&&oe("setSelect")}}o.setSelect=R2;function O3(u){if(y[u].show)K1&&Tr(I1[u],Xt);else if(K1&&Ee(I1[u],Xt),ce){let m=pn?$e[0]:$e[u];m!=null&&lt(m,-10,-10,n1,F)}}function xt(u,d,m){qo(u,{min:d,max:m})}function Xe(u,d,m,v){d.focus!=null&&q3(u),d.show!=null&&y.forEach((_,x)=>{x>0&&(u==x||u==null)&&(_.show=d.show,O3(x),r==2?(xt(_.facets[0].scale,null,null),xt(_.facets[1].scale,null,null)):xt(_.scale,null,null),bn())}),m!==!1&&oe("setSeries",u,d),v&&e2("setSeries",o,u,d)}o.setSeries=Xe;function L3(u,d){j1(W[u],d)}function N3(u,d){u.fill=u1(u.fill||null),u.dir=h1(u.dir,-1),d=d??W.length,W.splice(d,0,u)}function $3(u){u==null?W.length=0:W.splice(u,1)}o.addBand=N3,o.setBand=L3,o.delBand=$3;function F3(u,d){y[u].alpha=d,ce&&$e[u]!=null&&($e[u].style.opacity=d),K1&&I1[u]&&(I1[u].style.opacity=d)}let ft,kt,Ht,Sn={focus:!0};function q3(u){if(u!=Ht){let d=u==null,m=Ze.alpha!=1;y.forEach((v,_)=>{if(r==1||_>0){let x=d||_==0||_==u;v._focus=d?null:x,m&&F3(_,x?1:Ze.alpha)}}),Ht=u,m&&bn()}}K1&&dn&&fe(rl,b1,u=>{z._lock||(Wt(u),Ht!=null&&Xe(null,Sn,!0,U1.setSeries))});function et(u,d,m){let v=S[d];m&&(u=u/v1-(v.ori==1?G1:E1));let _=n1;v.ori==1&&(_=F,u=_-u),v.dir==-1&&(u=_-u);let x=v._min,M=v._max,R=u/_,E=x+(M-x)*R,O=v.distr;return O==3?Nn(10,E):O==4?B4(E,v.asinh):O==100?v.bwd(E):E}function V3(u,d){let m=et(u,A,d);return Ge(m,t[0],X1,ee)}o.valToIdx=u=>Ge(u,t[0]),o.posToIdx=V3,o.posToVal=et,o.valToPos=(u,d,m)=>S[d].ori==0?l(u,S[d],m?we:n1,m?Se:0):i(u,S[d],m?He:F,m?Le:0),o.setCursor=(u,d,m)=>{D1=u.left,F1=u.top,Ut(null,d,m)};function ys(u,d){L1(kn,An,A1.left=u),L1(kn,h2,A1.width=d)}function _s(u,d){L1(kn,"top",A1.top=u),L1(kn,g2,A1.height=d)}let Jn=D.ori==0?ys:_s,Zn=D.ori==1?ys:_s;function I3(){if(K1&&i1.live)for(let u=r==2?1:0;u<y.length;u++){if(u==0&&Oe)continue;let d=i1.values[u],m=0;for(let v in d)Ye[u][m++].firstChild.nodeValue=d[v]}}function Wo(u,d){if(u!=null&&(u.idxs?u.idxs.forEach((m,v)=>{k1[v]=m}):Q4(u.idx)||k1.fill(u.idx),i1.idx=k1[0]),K1&&i1.live){for(let m=0;m<y.length;m++)(m>0||r==1&&!Oe)&&W3(m,k1[m]);I3()}Ne=!1,d!==!1&&oe("setLegend")}o.setLegend=Wo;function W3(u,d){let m=y[u],v=u==0&&Y==2?Ue:t[u],_;Oe?_=m.values(o,u,d)??yt:(_=m.value(o,d==null?null:v[d],u,d),_=_==null?yt:{_}),i1.values[u]=_}function Ut(u,d,m){vs=D1,bs=F1,[D1,F1]=z.move(o,D1,F1),z.left=D1,z.top=F1,ce&&(yn&&lt(yn,Y1(D1),0,n1,F),_n&&lt(_n,0,Y1(F1),n1,F));let v,_=X1>ee;ft=C1,kt=null;let x=D.ori==0?n1:F,M=D.ori==1?n1:F;if(D1<0||ie==0||_){v=z.idx=null;for(let R=0;R<y.length;R++){let E=$e[R];E!=null&&lt(E,-10,-10,n1,F)}dn&&Xe(null,Sn,!0,u==null&&U1.setSeries),i1.live&&(k1.fill(v),Ne=!0)}else{let R,E,O;r==1&&(R=D.ori==0?D1:F1,E=et(R,A),v=z.idx=Ge(E,t[0],X1,ee),O=L(t[0][v],D,x,0));let N=-10,q=-10,e1=0,g1=0,m1=!0,a1="",J="";for(let H=r==2?1:0;H<y.length;H++){let O1=y[H],W1=k1[H],re=W1==null?null:r==1?t[H][W1]:t[H][1][W1],S1=z.dataIdx(o,H,v,E),z1=S1==null?null:r==1?t[H][S1]:t[H][1][S1];if(Ne=Ne||z1!=re||S1!=W1,k1[H]=S1,H>0&&O1.show){let Pe=S1==null?-10:S1==v?O:L(r==1?t[0][S1]:t[H][0][S1],D,x,0),de=z1==null?-10:X(z1,r==1?S[O1.scale]:S[O1.facets[1].scale],M,0);if(dn&&z1!=null){let Fe=D.ori==1?D1:F1,Be=J1(Ze.dist(o,H,S1,de,Fe));if(Be<ft){let tt=Ze.bias;if(tt!=0){let Te=et(Fe,O1.scale),qe=z1>=0?1:-1,je=Te>=0?1:-1;je==qe&&(je==1?tt==1?z1>=Te:z1<=Te:tt==1?z1<=Te:z1>=Te)&&(ft=Be,kt=H)}else ft=Be,kt=H}}if(Ne||pn){let Fe,Be;D.ori==0?(Fe=Pe,Be=de):(Fe=de,Be=Pe);let tt,Te,qe,je,nt,pe,Me=!0,Bt=ae.bbox;if(Bt!=null){Me=!1;let me=Bt(o,H);qe=me.left,je=me.top,tt=me.width,Te=me.height}else qe=Fe,je=Be,tt=Te=ae.size(o,H);if(pe=ae.fill(o,H),nt=ae.stroke(o,H),pn)H==kt&&ft<=Ze.prox&&(N=qe,q=je,e1=tt,g1=Te,m1=Me,a1=pe,J=nt);else{let me=$e[H];me!=null&&(mn[H]=qe,hn[H]=je,fl(me,tt,Te,Me),ul(me,pe,nt),lt(me,We(qe),We(je),n1,F))}}}}if(pn){let H=Ze.prox,O1=Ht==null?ft<=H:ft>H||kt!=Ht;if(Ne||O1){let W1=$e[0];W1!=null&&(mn[0]=N,hn[0]=q,fl(W1,e1,g1,m1),ul(W1,a1,J),lt(W1,We(N),We(q),n1,F))}}}if(A1.show&&wt)if(u!=null){let[R,E]=U1.scales,[O,N]=U1.match,[q,e1]=u.cursor.sync.scales,g1=u.cursor.drag;if(te=g1._x,ne=g1._y,te||ne){let{left:m1,top:a1,width:J,height:H}=u.select,O1=u.scales[q].ori,W1=u.posToVal,re,S1,z1,Pe,de,Fe=R!=null&&O(R,q),Be=E!=null&&N(E,e1);Fe&&te?(O1==0?(re=m1,S1=J):(re=a1,S1=H),z1=S[R],Pe=L(W1(re,q),z1,x,0),de=L(W1(re+S1,q),z1,x,0),Jn(Qe(Pe,de),J1(de-Pe))):Jn(0,x),Be&&ne?(O1==1?(re=m1,S1=J):(re=a1,S1=H),z1=S[E],Pe=X(W1(re,e1),z1,M,0),de=X(W1(re+S1,e1),z1,M,0),Zn(Qe(Pe,de),J1(de-Pe))):Zn(0,M)}else Uo()}else{let R=J1(vs-hs),E=J1(bs-gs);if(D.ori==1){let e1=R;R=E,E=e1}te=le.x&&R>=le.dist,ne=le.y&&E>=le.dist;let O=le.uni;O!=null?te&&ne&&(te=R>=O,ne=E>=O,!te&&!ne&&(E>R?ne=!0:te=!0)):le.x&&le.y&&(te||ne)&&(te=ne=!0);let N,q;te&&(D.ori==0?(N=wn,q=D1):(N=xn,q=F1),Jn(Qe(N,q),J1(q-N)),ne||Zn(0,M)),ne&&(D.ori==1?(N=wn,q=D1):(N=xn,q=F1),Zn(Qe(N,q),J1(q-N)),te||Jn(0,x)),!te&&!ne&&(Jn(0,0),Zn(0,0))}if(le._x=te,le._y=ne,u==null){if(m){if(Ds!=null){let[R,E]=U1.scales;U1.values[0]=R!=null?et(D.ori==0?D1:F1,R):null,U1.values[1]=E!=null?et(D.ori==1?D1:F1,E):null}e2(br,o,D1,F1,n1,F,v)}if(dn){let R=m&&U1.setSeries,E=Ze.prox;Ht==null?ft<=E&&Xe(kt,Sn,!0,R):ft>E?Xe(null,Sn,!0,R):kt!=Ht&&Xe(kt,Sn,!0,R)}}Ne&&(i1.idx=v,Wo()),d!==!1&&oe("setCursor")}let St=null;Object.defineProperty(o,"rect",{get(){return St==null&&Xn(!1),St}});function Xn(u=!1){u?St=null:(St=w.getBoundingClientRect(),oe("syncRect",St))}function ws(u,d,m,v,_,x,M){z._lock||wt&&u!=null&&u.movementX==0&&u.movementY==0||(zo(u,d,m,v,_,x,M,!1,u!=null),u!=null?Ut(null,!0,!0):Ut(d,!0,!1))}function zo(u,d,m,v,_,x,M,R,E){if(St==null&&Xn(!1),Wt(u),u!=null)m=u.clientX-St.left,v=u.clientY-St.top;else{if(m<0||v<0){D1=-10,F1=-10;return}let[O,N]=U1.scales,q=d.cursor.sync,[e1,g1]=q.values,[m1,a1]=q.scales,[J,H]=U1.match,O1=d.axes[0].side%2==1,W1=D.ori==0?n1:F,re=D.ori==1?n1:F,S1=O1?x:_,z1=O1?_:x,Pe=O1?v:m,de=O1?m:v;if(m1!=null?m=J(O,m1)?a(e1,S[O],W1,0):-10:m=W1*(Pe/S1),a1!=null?v=H(N,a1)?a(g1,S[N],re,0):-10:v=re*(de/z1),D.ori==1){let Fe=m;m=v,v=Fe}}E&&(d==null||d.cursor.event.type==br)&&((m<=1||m>=n1-1)&&(m=Jt(m,n1)),(v<=1||v>=F-1)&&(v=Jt(v,F))),R?(hs=m,gs=v,[wn,xn]=z.move(o,m,v)):(D1=m,F1=v)}let Ho={width:0,height:0,left:0,top:0};function Uo(){R2(Ho,!1)}let xs,ks,Ss,Ps;function Ts(u,d,m,v,_,x,M){wt=!0,te=ne=le._x=le._y=!1,zo(u,d,m,v,_,x,M,!0,!1),u!=null&&(fe(yr,Sr,Ms,!1),e2(nl,o,wn,xn,n1,F,null));let{left:R,top:E,width:O,height:N}=A1;xs=R,ks=E,Ss=O,Ps=N}function Ms(u,d,m,v,_,x,M){wt=le._x=le._y=!1,zo(u,d,m,v,_,x,M,!1,!0);let{left:R,top:E,width:O,height:N}=A1,q=O>0||N>0,e1=xs!=R||ks!=E||Ss!=O||Ps!=N;if(q&&e1&&R2(A1),le.setScale&&q&&e1){let g1=R,m1=O,a1=E,J=N;if(D.ori==1&&(g1=E,m1=N,a1=R,J=O),te&&xt(A,et(g1,A),et(g1+m1,A)),ne)for(let H in S){let O1=S[H];H!=A&&O1.from==null&&O1.min!=C1&&xt(H,et(a1+J,H),et(a1,H))}Uo()}else z.lock&&(z._lock=!z._lock,Ut(d,!0,u!=null));u!=null&&(un(yr,Sr),e2(yr,o,D1,F1,n1,F,null))}function z3(u,d,m,v,_,x,M){if(z._lock)return;Wt(u);let R=wt;if(wt){let E=!0,O=!0,N=10,q,e1;D.ori==0?(q=te,e1=ne):(q=ne,e1=te),q&&e1&&(E=D1<=N||D1>=n1-N,O=F1<=N||F1>=F-N),q&&E&&(D1=D1<wn?0:n1),e1&&O&&(F1=F1<xn?0:F),Ut(null,!0,!0),wt=!1}D1=-10,F1=-10,k1.fill(null),Ut(null,!0,!0),R&&(wt=R)}function Cs(u,d,m,v,_,x,M){z._lock||(Wt(u),To(),Uo(),u!=null&&e2(sl,o,D1,F1,n1,F,null))}function Rs(){C.forEach(f5),Po(o.width,o.height,!0)}en(ro,Ln,Rs);let Pn={};Pn.mousedown=Ts,Pn.mousemove=ws,Pn.mouseup=Ms,Pn.dblclick=Cs,Pn.setSeries=(u,d,m,v)=>{let _=U1.match[2];m=_(o,d,m),m!=-1&&Xe(m,v,!0,!1)},ce&&(fe(nl,w,Ts),fe(br,w,ws),fe(ol,w,u=>{Wt(u),Xn(!1)}),fe(rl,w,z3),fe(sl,w,Cs),Ar.add(o),o.syncRect=Xn);let E2=o.hooks=e.hooks||{};function oe(u,d,m){Fo?Yn.push([u,d,m]):u in E2&&E2[u].forEach(v=>{v.call(null,o,d,m)})}(e.plugins||[]).forEach(u=>{for(let d in u.hooks)E2[d]=(E2[d]||[]).concat(u.hooks[d])});let Es=(u,d,m)=>m,U1=j1({key:null,setSeries:!1,filters:{pub:gl,sub:gl},scales:[A,y[1]?y[1].scale:null],match:[vl,vl,Es],values:[null,null]},z.sync);U1.match.length==2&&U1.match.push(Es),z.sync=U1;let Ds=U1.key,Bo=pa(Ds);function e2(u,d,m,v,_,x,M){U1.filters.pub(u,d,m,v,_,x,M)&&Bo.pub(u,d,m,v,_,x,M)}Bo.sub(o);function H3(u,d,m,v,_,x,M){U1.filters.sub(u,d,m,v,_,x,M)&&Pn[u](null,d,m,v,_,x,M)}o.pub=H3;function U3(){Bo.unsub(o),Ar.delete(o),$t.clear(),Mr(ro,Ln,Rs),c.remove(),b1?.remove(),oe("destroy")}o.destroy=U3;function jo(){oe("init",e,t),ls(t||e.data,!1),j[A]?qo(A,j[A]):To(),k2=A1.show&&(A1.width>0||A1.height>0),It=Ne=!0,Po(e.width,e.height)}return y.forEach(ss),C.forEach(x3),n?n instanceof HTMLElement?(n.appendChild(c),jo()):n(o,jo):jo(),o}Z1.assign=j1;Z1.fmtNum=Vr;Z1.rangeNum=so;Z1.rangeLog=ao;Z1.rangeAsinh=Fr;Z1.orient=nn;Z1.pxRatio=v1;Z1.join=nu;Z1.fmtDate=Wr,Z1.tzDate=pu;Z1.sync=pa;{Z1.addGap=Qu,Z1.clipGaps=fo;let e=Z1.paths={points:ya};e.linear=wa,e.stepped=Zu,e.bars=Xu,e.spline=t5}var Pa=240;function at({label:e,timesMs:t,lines:n,written:o,areBytes:r=!1,height:l=160}){let i=se(null),a=se(null),f=`${it.value} ${l} ${n.map(h=>`${h.title}${h.colour}`).join()}`,c=[t.map(h=>h/1e3),...n.map(h=>[...h.values])];l1(()=>{let h=i.current;if(!h)return;let b=new Z1(p5(h,n,o,r,l),c,h);a.current=b;let g=new ResizeObserver(()=>b.setSize({width:Math.max(80,h.clientWidth),height:l}));return g.observe(h),()=>{g.disconnect(),b.destroy(),a.current=null}},[f]),l1(()=>a.current?.setData(c));let p=h=>{let b=h.values.at(-1);return b==null?"–":o(b)};return s("figure",{class:"plot",children:[s("figcaption",{children:[s("span",{class:"plot-title",children:e}),n.map(h=>s("span",{class:"legend",children:[s("i",{class:`swatch colour-${h.colour}`,"aria-hidden":"true"}),h.title," ",s("b",{children:p(h)})]},h.title))]}),s("div",{ref:i,class:"plot-area",role:"img","aria-label":e})]})}var d5=Array.from({length:50},(e,t)=>2**t);function p5(e,t,n,o,r){let l=getComputedStyle(document.documentElement),i=f=>l.getPropertyValue(`--${f}`).trim(),a={stroke:i("muted"),grid:{stroke:i("line"),width:1},ticks:{show:!1},font:"11px system-ui"};return{width:Math.max(80,e.clientWidth),height:r,legend:{show:!1},cursor:{y:!1,points:{show:!1}},padding:[8,18,0,0],axes:[{...a,size:24,space:56,values:(f,c)=>c.map(p=>new Date(p*1e3).toTimeString().slice(0,5)),incrs:[60]},{...a,size:64,space:32,values:(f,c)=>m5(c.map(n)),...o&&{incrs:d5}}],scales:{x:{range:(f,c,p)=>p>0?[p-Pa,p]:h5()},y:{range:(f,c,p)=>[0,p>0?p*1.1:1]}},series:[{},...t.map(f=>({label:f.title,stroke:i(`colour-${f.colour}`),width:1.5,points:{show:!1}}))]}}function m5(e){return e.map((t,n)=>e[n-1]===t?"":t)}function h5(){let e=Date.now()/1e3;return[e-Pa,e]}function go({values:e,label:t}){let r=Math.max(...e,1e-9),l=96/Math.max(1,e.length-1),i=e.map((a,f)=>`${(f*l).toFixed(1)},${(20-1.5-a/r*17).toFixed(1)}`);return s("svg",{class:"sparkline",viewBox:"0 0 96 20",width:96,height:20,role:"img","aria-label":t,children:i.length>1&&s("polyline",{points:i.join(" "),fill:"none",stroke:"currentColor","stroke-width":"1.5"})})}var Ot=class{timesMs=[];values=[];add(t,n){let o=this.values.at(-1),r=this.timesMs.at(-1);r!==void 0&&t<=r||(o!==void 0&&n<o&&(this.timesMs.length=0,this.values.length=0),this.addLevel(t,n))}addLevel(t,n){this.timesMs.push(t),this.values.push(n),this.values.length>240&&(this.timesMs.shift(),this.values.shift())}rate(t=3){let n=this.values.length-1,o=Math.max(0,n-t);if(!(n<1))return 1e3*(on(this.values,n)-on(this.values,o))/(on(this.timesMs,n)-on(this.timesMs,o))}rates(){return this.values.slice(1).map((t,n)=>1e3*(t-on(this.values,n))/(on(this.timesMs,n+1)-on(this.timesMs,n)))}},bt=class{constructor(t=400){this.most=t}most;sets=new Map;of(t){let n=this.sets.get(t)??new Ot;return this.sets.delete(t),this.sets.set(t,n),this.sets.size>this.most&&this.sets.delete(this.sets.keys().next().value),n}};function on(e,t){return e[t]??0}var sn=new bt,Ta,Ma;function g5(){let e=s1("/broker"),t=s1("/queue-totals"),n=e.data.value,o=t.data.value;return k5(n,o),!n&&!o?t.problem.value?s(o1,{problem:t.problem.value}):s(T1,{}):s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Overview"}),n&&s("span",{class:"muted",children:["lastvalue ",n.version,n.compiled?"":", plain Python",", up ",H1(n.now_ms-n.started_ms)]})]}),n&&s(v5,{broker:n}),s("dl",{class:"figures",children:[o&&s(I,{children:[s(rn,{title:"Queues",value:V(o.queues)}),s(rn,{title:"Messages",value:V(o.depth)}),s(rn,{title:"Keys",value:V(o.keys)}),s(rn,{title:"Conflated",value:o.published?`${(100*o.conflated/o.published).toFixed(1)} %`:"–"})]}),n&&s(I,{children:[s(rn,{title:"Connections",value:V(n.connections)}),s(rn,{title:"Producers",value:V(n.producers)}),s(rn,{title:"Event loop lag",value:H1(n.event_loop_lag_ms)})]})]}),s("div",{class:"cards",children:[o&&s(b5,{}),n&&s(y5,{broker:n}),n?.store_free_bytes!==void 0&&s(_5,{broker:n}),n&&s(w5,{})]}),e.problem.value?.status===403&&s("p",{class:"muted",children:"Memory, disk and alarms are shown to users with the right administer on $broker."})]})}function rn({title:e,value:t}){return s("div",{class:"figure",children:[s("dt",{children:e}),s("dd",{children:t})]})}function v5({broker:e}){let n=[[e.memory_alarm_since_ms,"Memory is short: producers wait"],[e.store_alarm_since_ms,"The disk is short: producers of durable queues wait"],[e.store_fault_since_ms,"The store cannot be written"]].filter(([o])=>o>0);return n.length===0?null:s("div",{class:"alarm",role:"alert",children:n.map(([o,r])=>s("p",{children:[s("strong",{children:r}),", for ",H1(e.now_ms-o)]},r))})}function b5(){let e=[{name:"published",title:"published",colour:1},{name:"acquired",title:"to consumers",colour:2},{name:"conflated",title:"conflated",colour:3}];return s("div",{class:"card",children:s(at,{label:"Messages a second",timesMs:sn.of("published").timesMs.slice(1),lines:e.map(({name:t,...n})=>({...n,values:sn.of(t).rates()})),written:ue})})}function y5({broker:e}){let{memory_limit_bytes:t,held_bytes:n}=e,{timesMs:o,values:r}=sn.of("held_bytes");return s("div",{class:"card",children:[s(at,{label:"Memory",timesMs:o,lines:[{title:"held",colour:1,values:r}],written:ve,areBytes:!0}),t>0&&s(x5,{label:"of the limit",part:n,whole:t})]})}function _5({broker:e}){let{timesMs:t,values:n}=sn.of("store_bytes");return s("div",{class:"card",children:[s(at,{label:"Store",timesMs:t,lines:[{title:"segments",colour:2,values:n}],written:ve,areBytes:!0}),s("p",{class:"muted",children:[ve(e.store_free_bytes)," free, ",ve(e.store_waiting_bytes)," to be written"]})]})}function w5(){let{timesMs:e,values:t}=sn.of("event_loop_lag_ms");return s("div",{class:"card",children:s(at,{label:"Event loop lag",timesMs:e,lines:[{title:"lag",colour:4,values:t}],written:H1})})}function x5({label:e,part:t,whole:n}){return s("p",{class:"share",children:[s("meter",{min:0,max:n,high:.8*n,optimum:0,value:t,"aria-label":`Memory ${e}`}),s("span",{class:"muted",children:[(100*t/n).toFixed(1)," % ",e,", ",ve(n)]})]})}function k5(e,t){let n=Date.now();if(e&&e!==Ta){for(let o of["held_bytes","event_loop_lag_ms","store_bytes"])sn.of(o).addLevel(n,e[o]??0);Ta=e}if(t&&t!==Ma){for(let o of["published","acquired","conflated"])sn.of(o).add(n,t[o]);Ma=t}}var Ca={path:"overview",title:"Overview",inNavigation:!0,view:g5};var zn=164,Hn=44,Gr=44,Qr=14,Ra=21;function Aa({parts:e,readers:t}){let{nodes:n,edges:o}=S5(e,t),l=[0,1,2,3,4].map(c=>n.filter(p=>p.column===c)).filter(c=>c.length),i=new Map,a=Math.max(...l.map(c=>c.length),1)*(Hn+Qr);for(let[c,p]of l.entries()){let h=(a-p.length*(Hn+Qr))/2;for(let[b,g]of p.entries())i.set(g.id,{x:c*(zn+Gr),y:h+b*(Hn+Qr)})}let f=l.length*(zn+Gr)-Gr;return s("div",{class:"graph",tabIndex:0,role:"group","aria-label":"Graph of the pipeline",children:s("svg",{viewBox:`-1 -1 ${Math.max(f,zn)+2} ${a}`,width:Math.max(f,zn)+2,height:a,children:[o.map(([c,p])=>{let[h,b]=[i.get(c),i.get(p)];if(!h||!b)return null;let[g,w,P,k]=[h.x+zn,h.y+Hn/2,b.x,b.y+Hn/2],T=Math.max(24,Math.abs(P-g)/2);return s("path",{class:"edge",d:`M${g} ${w}C${g+T} ${w} ${P-T} ${k} ${P} ${k}`},`${c} ${p}`)}),n.map(c=>{let{x:p,y:h}=i.get(c.id)??{x:0,y:0},b=s("g",{class:`node ${c.tone??""}`,transform:`translate(${p} ${h})`,children:[s("rect",{width:zn,height:Hn,rx:"6"}),s("text",{x:"10",y:"18",class:"node-title",children:Da(c.title)}),s("text",{x:"10",y:"34",class:"node-text",children:Da(c.text)})]});return c.href?s("a",{href:c.href,children:b},c.id):s("g",{children:b},c.id)})]})})}function S5(e,t){let n=new Map,o=[],r=i=>(n.has(i.id)||n.set(i.id,i),i.id),l=(i,a,f="queue")=>r({id:`queue ${i}`,title:i,text:f,column:a,href:w1(["queues",i])});for(let i of e.filter(a=>a.kind==="feed")){let a=r({id:`part ${i.name}`,title:i.name,text:`feed · ${i.state??"not running"}`,column:1,tone:Ea(i.state)});for(let f of i.from??[])o.push([r({id:`source ${f}`,title:f,text:"source",column:0}),a]);for(let f of i.to??[])o.push([a,l(f,2)]);i.dead_letter_queue&&o.push([a,l(i.dead_letter_queue,2,"rejected rows")])}for(let i of e.filter(a=>a.kind!=="feed")){let a=r({id:`part ${i.name}`,title:i.name,text:`${i.kind} · ${i.state??"not running"}`,column:3,tone:Ea(i.state)});for(let f of i.from??[])o.push([l(f,2),a]);for(let f of i.to??[])i.kind==="replay"?o.push([a,l(f,4)]):o.push([a,r({id:`tables ${f}`,title:f,text:"tables",column:4})])}for(let i of[...n.values()]){let a=i.id.startsWith("queue ")?t.get(i.title):void 0;if(!a)continue;let f=a.slow?`${a.slow} of them wait`:"none waits",c=`${a.readers} ${a.readers===1?"reader":"readers"}`;o.push([i.id,r({id:`readers ${i.title}`,title:c,text:f,column:Math.min(4,i.column+1),href:w1(["connections"],{show:"consumers",contains:i.title})})])}return{nodes:[...n.values()],edges:o}}function Ea(e){return e==="failed"||e==="dead"?"bad":e==="running"||e==="idle"?"good":""}function Da(e){return e.length>Ra?`${e.slice(0,Ra-1)}…`:e}var P5=120,T5=50,M5=new Set(["running","idle","failed","restarting","waiting for the broker"]);function C5(){let{data:e,problem:t,refresh:n}=s1("/pipeline",1e3),o=s1("/peers/consumers",2e3),r=$(null),l=$(null),i=y1(()=>({times:[],lag:new Map,rate:new Map}),[]),a=e.value;if(y1(()=>{if(!a)return;i.times.push(Date.now());let c=i.times.length>P5;c&&i.times.shift();for(let p of a.parts)for(let[h,b]of[[i.lag,p.lag??null],[i.rate,p.rows_per_s??null]]){let g=h.get(p.name)??i.times.slice(1).map(()=>null);h.set(p.name,[...g.slice(c?1:0),b])}},[a]),!a)return t.value?s(o1,{problem:t.value}):s(T1,{});let f=c=>a.parts.slice(0,4).map((p,h)=>({title:p.name,colour:h+1,values:c.get(p.name)??[]}));return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Pipeline"}),s(Oa,{state:a.state}),s("span",{class:"muted",children:a.master&&`Spark on ${a.master}`})]}),t.value&&s(o1,{problem:t.value}),a.error&&s("p",{class:"banner",children:a.error}),s("section",{class:"card","aria-label":"From the sources to the readers",children:s(Aa,{parts:a.parts,readers:R5(o.data.value?.consumers??[])})}),s("div",{class:"cards",children:[s("section",{class:"card",children:s(at,{label:"Lag",timesMs:i.times,lines:f(i.lag),written:c=>V(c)})}),s("section",{class:"card",children:s(at,{label:"Rows read",timesMs:i.times,lines:f(i.rate),written:ue})})]}),s(_1,{caption:"Parts of the pipeline",columns:[{name:"name",title:"Part",cell:c=>c.name},{name:"kind",title:"Kind",cell:c=>c.kind},{name:"state",title:"State",cell:c=>s(Oa,{state:c.state??"not running"})},{name:"rows",title:"Rows",isNumeric:!0,cell:c=>V(c.rows)},{name:"rate",title:"Rate",isNumeric:!0,cell:c=>ue(c.rows_per_s)},{name:"published",title:"Published",isNumeric:!0,cell:c=>V(c.published)},{name:"lag",title:"Lag",isNumeric:!0,cell:c=>c.lag===null||c.lag===void 0?"–":`${V(c.lag)} ${c.lag_unit}`},{name:"end_to_end_ms",title:"End to end",isNumeric:!0,help:"How old its newest row was when the broker had it",cell:c=>H1(c.end_to_end_ms??void 0)},{name:"all_restarts",title:"Restarts",isNumeric:!0,cell:c=>V(c.all_restarts)},{name:"rejected",title:"Rejected",isNumeric:!0,cell:c=>c.rejected&&c.dead_letter_queue?s("button",{type:"button",class:"plain",onClick:()=>l.value=c.dead_letter_queue??"",children:[V(c.rejected)," – why?"]}):V(c.rejected)},{name:"error",title:"Failure",cell:c=>s("span",{class:"fault",title:c.trace,children:c.error})},{name:"restart",title:"Action",cell:c=>s("button",{type:"button",disabled:!M5.has(c.state??""),"aria-label":`Restart ${c.name}`,onClick:()=>r.value=c,children:"Restart"})}],rows:a.parts,rowKey:c=>c.name,empty:"The file declares no parts."}),l.value!==null&&s(E5,{queue:l.value}),r.value&&s(M1,{title:`Restart ${r.value.name}?`,text:"Its current work is finished first; it goes on where it was.",action:"Restart",fields:[],onClose:()=>r.value=null,onSubmit:async()=>{await t1(K(["pipeline",r.value?.name??"","restart"]),{method:"POST"}),P1("the runner was asked to restart it"),n()}})]})}function Oa({state:e}){return s("span",{class:`tag ${e==="failed"||e==="dead"?"bad":e==="running"||e==="idle"?"on":e==="finished"?"":"warn"}`,children:e})}function R5(e){let t=new Map;for(let{node:n,waits_for:o}of e){let r=t.get(n)??{readers:0,slow:0};t.set(n,{readers:r.readers+1,slow:r.slow+(o&&o!=="empty"?1:0)})}return t}function E5({queue:e}){let t=y1(()=>d1([]),[e]),n=y1(()=>({take:r=>t.value=[...t.value.slice(-T5+1),r],remove:()=>{},retain:()=>{}}),[t]),{problem:o}=Dn(e,n);return s("section",{class:"card","aria-labelledby":"rejected-heading",children:[s("h2",{id:"rejected-heading",children:["Rejected rows, in ",s("a",{href:w1(["queues",e]),children:e})]}),o.value?s(o1,{problem:o.value}):s(_1,{caption:"Rejected rows, the newest first",columns:[{name:"sequence",title:"Message",cell:r=>V(r.sequence)},{name:"reason",title:"Because",cell:r=>Z(D5(r)["x-opt-reason"])},{name:"properties",title:"Properties",cell:r=>s("code",{children:Z(r.properties)})},{name:"body",title:"Body",cell:r=>s("code",{children:Z(r.body).slice(0,200)})}],rows:[...t.value].reverse(),rowKey:r=>String(r.sequence)})]})}function D5(e){return e.annotations??{}}var La={path:"pipelines",title:"Pipelines",inNavigation:!0,needs:"show-pipeline",view:C5};var vo=class{constructor(t){this.intervalMs=t}intervalMs;list=[];add(t,{open:n,high:o,low:r,close:l}){let i=t-t%this.intervalMs,a=this.list.at(-1);if(!(a&&i<a.startMs)){if(a?.startMs===i){a.high=Math.max(a.high,o),a.low=Math.min(a.low,r),a.close=l;return}this.list.push({startMs:i,open:n,high:o,low:r,close:l}),this.list.length>400&&this.list.shift()}}};var Na=380,A5=14,O5=40;function $a({label:e,candles:t,intervalMs:n,written:o}){let r=se(null),l=se(null),i=[t.map(a=>a.startMs/1e3),...["open","high","low","close"].map(a=>t.map(f=>f[a]))];return l1(()=>{let a=r.current;if(!a)return;let f=new Z1(L5(a,n,o),i,a);l.current=f;let c=new ResizeObserver(()=>f.setSize({width:Math.max(80,a.clientWidth),height:Na}));return c.observe(a),()=>{c.disconnect(),f.destroy(),l.current=null}},[it.value,n]),l1(()=>l.current?.setData(i)),s("div",{ref:r,class:"plot-area",role:"img","aria-label":e})}function L5(e,t,n){let o=getComputedStyle(document.documentElement),r=c=>o.getPropertyValue(`--${c}`).trim(),l={stroke:r("muted"),grid:{stroke:r("line"),width:1},ticks:{show:!1},font:"11px system-ui"},[i,a]=[r("good"),r("danger")],f=()=>null;return{width:Math.max(80,e.clientWidth),height:Na,legend:{show:!1},cursor:{y:!1,points:{show:!1}},padding:[8,8,0,0],axes:[{...l,size:24,space:90,values:(c,p)=>p.map(h=>new Date(h*1e3).toTimeString().slice(0,8))},{...l,size:72,space:36,values:(c,p)=>p.map(n)}],scales:{x:{range:c=>N5(c.data[0],t/1e3)},y:{range:(c,p,h)=>[p-(h-p||1)*.08,h+(h-p||1)*.08]}},series:[{},...["open","high","low","close"].map(c=>({label:c,paths:f,points:{show:!1}}))],hooks:{draw:[c=>$5(c,t,i,a)]}}}function N5(e,t){let n=e[0]??Date.now()/1e3;return[n-t,Math.max(e[e.length-1]??n,n+O5*t)+t]}function $5(e,t,n,o){let[r=[],l=[],i=[],a=[],f=[]]=e.data,{ctx:c}=e,p=devicePixelRatio,h=e.valToPos(t/1e3,"x",!0)-e.valToPos(0,"x",!0),b=Math.max(p,Math.min(.7*h,A5*p));c.save(),c.lineWidth=p;for(let[g,w]of r.entries()){let[P,k,T,y]=[l[g]??0,i[g]??0,a[g]??0,f[g]??0],C=e.valToPos(w+t/2e3,"x",!0),S=A=>e.valToPos(A,"y",!0);c.strokeStyle=c.fillStyle=y>=P?n:o,c.beginPath(),c.moveTo(C,S(k)),c.lineTo(C,S(T)),c.stroke();let W=S(Math.max(P,y));c.fillRect(C-b/2,W,b,Math.max(p,S(Math.min(P,y))-W))}c.restore()}var F5=["1","5","15","60","300"],q5=500,Yr=50,V5=250;function I5({parameters:e,query:t}){let n=e.queue??"",o=1e3*Number(t.get("every")??"1"),r=t.get("price"),l=y1(()=>({byKey:new Map,shown:d1(0)}),[o,r]),i={take:y=>{let C=String(y.key),S=H5(Et(y),r);if(!S||!l.byKey.has(C)&&l.byKey.size>=q5)return;let W=l.byKey.get(C)??new vo(o);l.byKey.set(C,W),W.add(Date.now(),S)},remove:y=>{l.byKey.delete(y)},retain:y=>{for(let C of l.byKey.keys())y.has(C)||l.byKey.delete(C)}},a=y1(()=>({taker:i}),[]);a.taker=i;let f=y1(()=>({take:y=>a.taker.take(y),remove:y=>a.taker.remove(y),retain:y=>a.taker.retain(y)}),[]),{problem:c,isLive:p,rate:h,sample:b}=Dn(n,f);if(l1(()=>{let y=setInterval(()=>!document.hidden&&l.shown.value++,V5);return()=>clearInterval(y)},[l]),l.shown.value,c.value)return s(o1,{problem:c.value});let g=b.value?Et(b.value):{},w=[...l.byKey.keys()].sort(),P=t.get("key")??w[0]??"",k=l.byKey.get(P)?.list??[],T=Fa(g);return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:n}),s(d2,{queue:n,fields:g,current:"prices"}),s("div",{class:"actions",children:s(Q2,{isLive:p.value,rate:h.value})})]}),s("div",{class:"tools",children:[s(Yt,{label:"key",name:"key",value:P,choices:w}),!T&&s(Yt,{label:"price",name:"price",value:Ce("price",g,r),choices:Object.keys(g).filter(y=>Re(g,y)!==void 0)}),s(Yt,{label:"seconds of a candle",name:"every",value:String(o/1e3),choices:F5}),s(z5,{candle:k.at(-1)})]}),s("section",{class:"card",children:s($a,{label:`Candles of ${P}`,candles:[...k],intervalMs:o,written:Jr})}),s("p",{class:"muted small",children:T?"Of the open, high, low and close of each value that reached this page.":"Of the prices that reached this page; what newer ones replaced before is not in them. A feed with the policy ohlc has every price."}),s(_1,{caption:"Keys",columns:[{name:"key",title:"Key",cell:y=>y},{name:"close",title:"Price",isNumeric:!0,cell:y=>Jr(l.byKey.get(y)?.list.at(-1)?.close??0)},{name:"line",title:"Since this page is open",cell:y=>s(W5,{label:`Price of ${y}`,candles:l.byKey.get(y)?.list??[]})}],rows:w.slice(0,Yr),rowKey:y=>y,rowLink:y=>w1(["queues",n,"prices"],{...Object.fromEntries(t),key:y}),empty:"No prices came yet."}),w.length>Yr&&s("p",{class:"muted small",children:[V(w.length)," keys; these are the first ",Yr,"."]})]})}function W5({label:e,candles:t}){let n=t.slice(-60).map(r=>r.close),o=Math.min(...n);return s(go,{values:n.map(r=>r-o),label:e})}function z5({candle:e}){return e?s("span",{class:"newest-candle",children:["open","high","low","close"].map(t=>s("span",{children:[t," ",s("b",{children:Jr(e[t])})]},t))}):null}function Fa(e){return["open","high","low","close"].every(t=>Re(e,Ce(t,e,null))!==void 0)}function H5(e,t){if(Fa(e)){let o=r=>Re(e,Ce(r,e,null))??0;return{open:o("open"),high:o("high"),low:o("low"),close:o("close")}}let n=Re(e,Ce("price",e,t));return n===void 0?null:{open:n,high:n,low:n,close:n}}function Jr(e){return e.toLocaleString("en",{minimumFractionDigits:2,maximumFractionDigits:Math.abs(e)<1?6:2})}var qa={path:"queues/:queue/prices",title:"Prices",inNavigation:!1,view:I5};function bo({queue:e,asked:t}){let{data:n,problem:o}=s1(K(["queues",e,"why"],t),3e3);if(o.value)return s("p",{class:"fault",role:"alert",children:o.value.detail});if(!n.value)return s("p",{class:"muted",children:"Asking …"});let{found:r,remembers:l}=n.value;return s(I,{children:[s("ol",{class:"versions","aria-label":"What became of it, newest first",children:r.map(i=>s("li",{children:[s("div",{class:"when",children:[s("span",{children:i.reason.replaceAll("_"," ")||"present"}),s("span",{children:[Ve(i.time_ms??i.arrival_ms)," · ",i.sequence]})]}),s("div",{children:[i.text,i.updates>1&&s("span",{class:"muted",children:["; it stood for ",V(i.updates)," updates"]}),i.message_id&&s("span",{class:"muted",children:["; message id ",i.message_id]})]})]},i.sequence))}),r.length===0&&s("p",{class:"muted",children:"Nothing is remembered of it."}),s("p",{class:"muted",children:l?`The queue remembers why its last ${V(l)} messages left.`:"The queue remembers nothing of messages that left; its option removal_log says of how many it does."})]})}function yo(e){return e.published?(e.statistics.conflated??0)/e.published:0}function _o(e){return typeof e=="number"?{type:"integer"}:typeof e=="boolean"?{type:"boolean"}:{}}var Zr=[{name:"selector",label:"Selector",help:"Only messages that it selects, as in price > 100 AND venue = 'X'"},{name:"limit",label:"At most",kind:"number",help:"So many messages, the oldest first; all if both are empty"}],Va={name:"destination",label:"To the queue",isRequired:!0},U5=["purge","delete"],Ia={publish:"publish",purge:"purge-queue",move:"move",copy:"copy",retry:"move",delete:"delete-queue"};function Wa({queue:e,refresh:t,onDeleted:n}){let o=$(null),r=e.options.paused===!0,l=st(e.name),i=(f,c)=>s("button",{type:"button",class:U5.includes(f)?"danger":void 0,disabled:l(Ia[f])!=="",title:l(Ia[f]),onClick:()=>o.value=f,children:c}),a=async()=>{await B2(r?"The queue delivers again.":"The queue delivers nothing until it is resumed.",()=>t1(K(["queues",e.name]),{method:"PATCH",body:{paused:!r}})),t()};return s("div",{class:"actions",children:[i("publish","Publish"),s("button",{type:"button",disabled:l("update-queue")!=="",title:l("update-queue"),onClick:a,children:r?"Resume":"Pause"}),i("move","Move"),i("copy","Copy"),i("retry","Retry"),i("purge","Purge"),i("delete","Delete"),o.value&&s(B5,{action:o.value,queue:e,refresh:t,onClose:()=>o.value=null,onDeleted:n})]})}function B5({action:e,queue:t,refresh:n,onClose:o,onDeleted:r}){let l=["queues",t.name],i={onClose:o},a=async(f,c)=>{let p=await t1(K([...l,"messages",f]),{method:"POST",body:K5(c)});P1(`${V(p.messages)} messages${p.stayed.length?`; ${V(p.stayed.length)} stayed, which were not taken`:""}.`),n()};switch(e){case"publish":return s(j5,{queue:t,refresh:n,onClose:o});case"move":return s(M1,{...i,title:"Move messages",action:"Move",fields:[Va,...Zr],onSubmit:f=>a("move",f)});case"copy":return s(M1,{...i,title:"Copy messages",action:"Copy",fields:[Va,...Zr],onSubmit:f=>a("copy",f)});case"retry":return s(M1,{...i,title:"Retry dead letters",text:"Messages go back to the queues that they left.",action:"Retry",fields:Zr,onSubmit:f=>a("retry",f)});case"purge":return s(M1,{...i,title:`Purge ${t.name}`,text:`Remove ${V(t.available)} messages? Those that a consumer holds stay.`,action:"Purge",isDangerous:!0,fields:[],onSubmit:async()=>{let{messages:f}=await t1(K([...l,"purge"]),{method:"POST"});P1(`${V(f)} messages were removed.`),n()}});case"delete":return s(M1,{...i,title:`Delete ${t.name}`,text:`The queue and its ${V(t.depth)} messages are gone then.`,action:"Delete",isDangerous:!0,fields:[{name:"name",label:"Its name, to be sure",isRequired:!0}],onSubmit:async({name:f})=>{if(f!==t.name)throw new Error(`the name is ${t.name}`);await t1(K(l),{method:"DELETE"}),P1(`Queue ${t.name} was deleted.`),r()}})}}function j5({queue:e,refresh:t,onClose:n}){let o=e.options.lvq_key,r=typeof o=="string"?[{name:"key",label:`Key (${o})`,isRequired:!0}]:[];return s(M1,{title:`Publish to ${e.name}`,action:"Publish",onClose:n,fields:[...r,{name:"body",label:"Body",kind:"lines"},{name:"isJson",label:"The body is JSON",kind:"checkbox",help:"A number, a list or an object, instead of a text"},{name:"properties",label:"Properties",kind:"json",help:'As a JSON object, such as {"venue": "X"}'},{name:"ttl_ms",label:"Time to live in ms",kind:"number"}],onSubmit:async({key:l,body:i,isJson:a,properties:f,ttl_ms:c})=>{let p=Z(i),h={body:a?JSON.parse(p):p,properties:{...f,...typeof o=="string"?{[o]:l}:{}},...c===void 0?{}:{ttl_ms:c}};await t1(K(["queues",e.name,"messages"]),{method:"POST",body:h}),P1("The message was confirmed."),t()}})}function K5(e){return"selector"in e||"limit"in e||"sequences"in e?e:{...e,all:!0}}var za=50,Xr={after:null,offset:0};function Ua({queue:e}){let t=$(""),n=$([Xr]),o=$(new Set),r=$(null),l=$(null),i=st(e.name),a=n.value.at(-1)??Xr,{data:f,problem:c,refresh:p}=s1(K(["queues",e.name,"messages"],{after:a.after??"",limit:za,selector:t.value})),h=f.value?.messages??[],b=f.value?.next,g=b?()=>n.value=[...n.value,{after:b.after,offset:b.after?a.offset+h.length:0}]:void 0,w=async(k,T={})=>{let y={...T,sequences:[...o.value]},C=await t1(K(["queues",e.name,"messages",k]),{method:"POST",body:y});P1(`${V(C.messages)} messages.`),o.value=new Set,p()},P=k=>{let T=new Set(o.value);T.delete(k)||T.add(k),o.value=T};return s(I,{children:[s("form",{class:"tools",onSubmit:k=>{k.preventDefault(),t.value=new FormData(k.currentTarget).get("selector")?.toString().trim()??"",n.value=[Xr]},children:[s("input",{name:"selector",type:"search","aria-label":"Selector",placeholder:"Selector, as in price > 100",defaultValue:t.value}),s("button",{type:"submit",children:"Select"}),s("span",{class:"muted",children:o.value.size?`${V(o.value.size)} chosen`:""}),s("button",{type:"button",disabled:!o.value.size||i("move")!=="",title:i("move"),onClick:()=>l.value="move",children:"Move chosen"}),s("button",{type:"button",disabled:!o.value.size||i("copy")!=="",title:i("copy"),onClick:()=>l.value="copy",children:"Copy chosen"}),s("button",{type:"button",class:"danger",disabled:!o.value.size||i("delete-messages")!=="",title:i("delete-messages"),onClick:()=>w("delete").catch(Qt),children:"Delete chosen"})]}),c.value?s(o1,{problem:c.value}):f.value?s(I,{children:[s(_1,{caption:`Messages of ${e.name}`,rows:h,rowKey:k=>String(k.sequence),columns:[{name:"chosen",title:"",cell:({sequence:k})=>s("input",{type:"checkbox","aria-label":`Choose message ${k}`,checked:o.value.has(k),onChange:()=>P(k)})},{name:"sequence",title:"Sequence",isNumeric:!0,cell:k=>s("button",{type:"button",class:"plain mono",onClick:()=>r.value=k,children:k.sequence})},{name:"age",title:"Age",isNumeric:!0,cell:k=>H1(Date.now()-(k.enqueued_time_ms??0))},{name:"properties",title:"Properties",cell:k=>s("code",{children:Ha(Z(k.properties??{}))})},{name:"body",title:"Body",cell:k=>s("code",{children:Ha(Z(k.body??k.body_base64))})}],empty:b&&t.value?"None of the messages of this page is selected.":"No message that a reader could see is here."}),b&&t.value&&h.length<za&&s("p",{class:"muted",children:["Looked as far as sequence ",V(b.after),"."," ",s("button",{type:"button",onClick:g,children:"Look further"})]}),s(K2,{offset:a.offset,rows:h.length,onPrevious:n.value.length>1?()=>n.value=n.value.slice(0,-1):void 0,onNext:g})]}):s(T1,{}),r.value&&s(Ct,{title:`Message ${r.value.sequence}`,onClose:()=>r.value=null,isDrawer:!0,children:s("pre",{tabIndex:0,children:JSON.stringify(r.value,null,2)})}),l.value&&s(M1,{title:l.value==="move"?"Move chosen messages":"Copy chosen messages",action:l.value==="move"?"Move":"Copy",fields:[{name:"destination",label:"To the queue",isRequired:!0}],onClose:()=>l.value=null,onSubmit:k=>w(l.value,k)})]})}function Ha(e){return e.length>120?`${e.slice(0,120)} …`:e}var G5=36e5;function Ba({queue:e,refresh:t}){let{data:n,problem:o}=s1("/queue-options",G5),r=$(null),l=st(e.name),i=$(!1);if(!n.value)return o.value?s(o1,{problem:o.value}):s(T1,{});let a=n.value.options.filter(f=>f.types.includes(e.type)&&(i.value||f.name in e.options));return s(I,{children:[s("div",{class:"tools",children:s("button",{type:"button","aria-pressed":i.value,onClick:()=>i.value=!i.value,children:"Show defaults"})}),s(_1,{caption:`Options of ${e.name}`,rows:a,rowKey:f=>f.name,columns:[{name:"name",title:"Option",cell:f=>s("code",{children:f.name})},{name:"value",title:"Value",cell:f=>s("b",{children:ja(e.options[f.name]??f.default,f)})},{name:"origin",title:"Origin",cell:f=>f.name in e.options?s("span",{class:"tag on",children:"declared"}):s("span",{class:"tag",children:"default"})},{name:"sentence",title:"Meaning",cell:f=>s("span",{class:"muted",children:f.sentence})},{name:"edit",title:"",cell:f=>f.for_life?s("span",{class:"muted",title:"Delete the queue and declare it again to change this",children:"for life"}):s("button",{type:"button",disabled:l("update-queue")!=="",title:l("update-queue"),"aria-label":`Change ${f.name}`,onClick:()=>r.value=f,children:"Change"})}],empty:"All options have their defaults."}),r.value&&s(Q5,{queue:e,option:r.value,refresh:t,onClose:()=>r.value=null})]})}function Q5({queue:e,option:t,refresh:n,onClose:o}){let r=e.options[t.name]??t.default,l={name:t.name,label:t.unit?`${t.name} (${t.unit})`:t.name,kind:t.kind==="flag"?"checkbox":t.kind,choices:t.choices,value:t.kind==="flag"?r===!0:Z(r??""),help:`${t.sentence} The default is ${ja(t.default,t)}.`};return s(M1,{title:`Change ${t.name}`,action:"Change",fields:[l],onClose:o,onSubmit:async i=>{await t1(K(["queues",e.name]),{method:"PATCH",body:{[t.name]:i[t.name]??t.default}}),P1(`${t.name} was changed.`),n()}})}function ja(e,t){return e==null?"none":t.unit&&typeof e=="number"?`${e} ${t.unit}`:Z(e)}function Ka({queue:e}){let{data:t,problem:n}=s1("/peers/consumers",2e3);return t.value?s(_1,{caption:`Readers of ${e}`,rows:t.value.consumers.filter(o=>o.node===e),rowKey:o=>`${o.connection} ${o.session} ${o.name}`,columns:[{name:"name",title:"Reader",cell:o=>o.name},{name:"kind",title:"",cell:o=>s("span",{class:"tag",children:o.browses?"browser":"consumer"})},{name:"user",title:"User",cell:o=>o.user},{name:"connection",title:"Connection",cell:o=>o.connection},{name:"delivered",title:"Delivered",isNumeric:!0,cell:o=>V(o.delivered)},{name:"unsettled",title:"Unsettled",isNumeric:!0,cell:o=>V(o.unsettled)},{name:"credit",title:"Credit",isNumeric:!0,cell:o=>o.credit<0?"any":V(o.credit)},{name:"waits_for",title:"Waits for",cell:o=>o.waits_for}],empty:"Nobody reads this queue."}):n.value?s(o1,{problem:n.value}):s(T1,{})}var Y5=12,J5=300,Z5=500,Un=class{constructor(t){this.keyProperty=t}keyProperty;received=0;represented=0;pinned=new Set;columns=[];rows=new Map;sorted=[];order={column:"key",descends:!1};filter="";isDirty=!0;orderIsDirty=!0;sortedMs=0;snapshots=new En;known=new Set;columnsAreDirty=!1;get size(){return this.rows.size}begin(t){this.snapshots.begin(t)}complete(t=0){this.known.clear();for(let[n,o]of this.rows){let r=o.value.partition??0;r===t&&this.snapshots.isLeftBehind(o.snapshot,r)&&this.rows.delete(n)}this.isDirty=this.orderIsDirty=!0;for(let n of this.rows.values())for(let o in n.fields)this.known.add(o);this.chooseColumns()}take(t,n){for(let o of t)this.takeOne(o,n);this.isDirty=!0,this.columnsAreDirty&&this.chooseColumns()}row(t){return this.rows.get(t)}remove(t){this.rows.delete(t),this.isDirty=this.orderIsDirty=!0}sortBy(t){this.order=t,this.isDirty=this.orderIsDirty=!0}filterBy(t){this.filter=t.toLowerCase(),this.isDirty=this.orderIsDirty=!0}pin(t){this.pinned.delete(t)||this.pinned.add(t),this.isDirty=this.orderIsDirty=!0}takeDirty(){let t=this.isDirty;return this.isDirty=!1,t}ordered(t){let n=this.order.column!=="key"||this.filter!=="";return(this.orderIsDirty||n&&t-this.sortedMs>Z5)&&(this.sorted=this.filter?[...this.rows.values()].filter(o=>this.admits(o)):[...this.rows.values()],this.sorted.sort((o,r)=>this.compared(o,r)),this.orderIsDirty=!1,this.sortedMs=t),this.sorted}takeOne(t,n){let o=es(t),r=this.rows.get(o);if(this.received++,r===void 0){this.represented++;let i=this.fieldsOf(t);this.rows.set(o,{id:o,value:t,fields:i,before:null,changes:0,changedMs:0,snapshot:this.snapshots.current}),this.orderIsDirty=!0;return}if(r.snapshot=this.snapshots.current,r.value.sequence===t.sequence)return;let l=t.updates-r.value.updates;this.represented+=l>0?l:t.updates,r.before=r.fields,r.fields=this.fieldsOf(t),r.value=t,r.changes++,r.changedMs=n}fieldsOf(t){let n=Lt(t,this.keyProperty);for(let o in n)this.known.has(o)||(this.known.add(o),this.columnsAreDirty=!0);return n}chooseColumns(){this.columnsAreDirty=!1;let t=new Map,n=0;for(let r of this.rows.values()){for(let l of Object.keys(r.fields))t.set(l,(t.get(l)??0)+1);if(++n===J5)break}for(let r of this.known)t.has(r)||t.set(r,0);let o=new Set([...t].sort((r,l)=>l[1]-r[1]).slice(0,Y5).map(([r])=>r));this.columns=[...t.keys()].filter(r=>o.has(r))}admits(t){return this.pinned.has(t.id)||Z(t.value.key).toLowerCase().includes(this.filter)?!0:Object.values(t.fields).some(n=>Z(n).toLowerCase().includes(this.filter))}compared(t,n){let o=Number(this.pinned.has(n.id))-Number(this.pinned.has(t.id));if(o)return o;let r=Ga(wo(t,this.order.column),wo(n,this.order.column));return(this.order.descends?-r:r)||Ga(t.value.key,n.value.key)}};function es(e){return e.key===null||e.key===void 0?`#${e.sequence}`:`${typeof e.key}:${e.key}`}function wo(e,t){return t==="key"?e.value.key:t==="updates"?e.value.updates:t==="age"?-(e.value.enqueued_time_ms??0):e.fields[t]}function Lt(e,t){let n=X5(e.body),o={...e.properties};if(delete o[t],n===null)return{...o,body:e.body??e.body_base64??null};let r={...n};return Z(r[t])===Z(e.key)&&delete r[t],{...o,...r}}function X5(e){let t=e;if(typeof e=="string"&&e.startsWith("{"))try{t=JSON.parse(e)}catch{return null}return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:null}function Ga(e,t){if(typeof e=="number"&&typeof t=="number")return e-t;if(e==null)return t==null?0:1;if(t==null)return-1;let n=Z(e),o=Z(t);return n<o?-1:n>o?1:0}var Ya=50;function Ja({queue:e,keyProperty:t,row:n,live:o,hasHistory:r,remembers:l,onClose:i}){let a=$(n.value),f=$([Qa(n.value,t)]);l1(()=>{if(o===null)return;let P=setInterval(()=>{let k=o.row(n.id)?.value;k===void 0||k.sequence===a.value.sequence||(a.value=k,f.value=[Qa(k,t),...f.value].slice(0,Ya))},100);return()=>clearInterval(P)},[]);let{key:c,sequence:p,updates:h,enqueued_time_ms:b,properties:g}=a.value,w=typeof c=="string"||typeof c=="boolean"||Number.isInteger(c);return s(Ct,{title:c==null?`Message ${p}`:Z(c),onClose:i,isDrawer:!0,children:[s("dl",{class:"facts",children:[s("dt",{children:"Sequence"}),s("dd",{children:p}),s("dt",{children:"Updates"}),s("dd",{children:h}),b!==void 0&&s(I,{children:[s("dt",{children:"Came"}),s("dd",{children:[Ve(b),o&&s("span",{class:"muted",children:[", ",H1(Date.now()-b)," ago"]})]})]}),g&&s(I,{children:[s("dt",{children:"Properties"}),s("dd",{class:"mono",children:Z(g)})]})]}),s("pre",{tabIndex:0,"aria-label":"Body",children:oc(a.value)}),o&&w&&s(ec,{queue:e,value:a.value,onClose:i}),s("h3",{children:"What happened"}),r&&w?s(tc,{queue:e,keyProperty:t,value:a.value}):s(Za,{versions:f.value}),!r&&s("p",{class:"muted",children:"The queue has no history: these are the values since this was opened."}),l&&w&&s(I,{children:[s("h3",{children:"Why values are gone"}),s(bo,{queue:e,asked:{key:Z(c),..._o(c)}})]})]})}function ec({queue:e,value:t,onClose:n}){let o=$(!1),r=$(t),l=$(""),i=st(e),a=K(["queues",e,"keys",Z(t.key)],_o(t.key)),f={"If-Match":`"${r.value.sequence}"`},c=async()=>{try{await t1(a,{method:"DELETE",headers:{"If-Match":`"${t.sequence}"`}}),P1("The value was deleted."),n()}catch(h){Qt(h)}};if(!o.value)return s("div",{class:"actions",children:[s("button",{type:"button",disabled:i("publish")!=="",title:i("publish"),onClick:()=>(r.value=t,o.value=!0),children:"Change"}),s("button",{type:"button",class:"danger",disabled:i("delete-messages")!=="",title:i("delete-messages"),onClick:c,children:"Delete"})]});let p=typeof r.value.body=="string";return s(I,{children:[l.value&&s("p",{class:"fault",role:"alert",children:[l.value,": the form has the newest value now"]}),s(rt,{action:"Put",fields:[{name:"body",label:p?"New body, a text":"New body, as JSON",kind:p?"lines":"json",value:p?Z(r.value.body):JSON.stringify(r.value.body??null,null,2),help:`Taken only if the value is still ${r.value.sequence}.`}],onSubmit:async({body:h})=>{try{await t1(a,{method:"PUT",headers:f,body:{body:h??"",properties:r.value.properties??{}}})}catch(b){if(b instanceof V1&&b.status===412){r.value=t,l.value=ge(b);return}throw b}P1("The value was put."),l.value="",o.value=!1}},r.value.sequence)]})}function tc({queue:e,keyProperty:t,value:n}){let o=K(["queues",e,"keys",Z(n.key),"timeline"],{..._o(n.key),newest_first:!0,limit:Ya}),{data:r,problem:l}=s1(o,3e3);if(l.value)return s("p",{class:"fault",children:l.value.detail});if(!r.value)return s("p",{class:"muted",children:"Reading the history …"});let{records:i}=r.value,a=p=>p.effect==="removed"&&p.reason==="replaced",f=new Map(i.filter(a).map(p=>[p.time,p.sequence])),c=i.filter(p=>!a(p)).map(p=>({timeMs:Date.parse(p.time),what:nc(p,f.get(p.time)),sequence:p.sequence??0,fields:p.updates===null?null:Lt({...p,key:n.key,sequence:p.sequence??0,updates:p.updates},t)}));return s(Za,{versions:c})}function nc({effect:e,reason:t},n){return t?`${e}: ${t}`:n?`${e}, in place of ${n}`:e}function Za({versions:e}){return s("ol",{class:"versions","aria-label":"Versions, newest first",children:e.map((t,n)=>{let o=e.slice(n+1).find(r=>r.fields!==null)?.fields??null;return s("li",{children:[s("div",{class:"when",children:[s("span",{children:t.what}),s("span",{children:[Ve(t.timeMs)," · ",t.sequence]})]}),t.fields&&s(xo,{before:o,after:t.fields})]},`${t.timeMs} ${t.sequence} ${t.what} ${e.length-n}`)})})}function xo({before:e,after:t}){let o=[...new Set([...Object.keys(e??{}),...Object.keys(t)])].filter(r=>e===null||Z(e[r])!==Z(t[r]));return o.length===0?s("div",{class:"muted",children:"the same value"}):s(I,{children:o.map(r=>s("div",{class:"change",children:[r,": ",e!==null&&r in e&&s("del",{children:Z(e[r])})," ",r in t&&s("ins",{children:Z(t[r])})]},r))})}function Qa(e,t){return{timeMs:e.enqueued_time_ms??Date.now(),what:"value",sequence:e.sequence,fields:Lt(e,t)}}function oc(e){if(e.body_base64!==void 0)return e.body_base64;let t=e.body;if(typeof t=="string"&&t.startsWith("{"))try{return JSON.stringify(JSON.parse(t),null,2)}catch{return t}return typeof t=="string"?t:JSON.stringify(t,null,2)}var Nt=30,Xa=6,rc=900;function e3({table:e,label:t,onOpen:n,nowMs:o,height:r=480}){let l=se(null),i=$(0),a=$(0),f=$({column:"key",descends:!1}),c=$(0);l1(()=>{let y=0,C=0,S=()=>{let W=Math.floor(performance.now()/1e3);(e.takeDirty()||W!==C)&&i.value++,C=W,y=requestAnimationFrame(S)};return y=requestAnimationFrame(S),()=>cancelAnimationFrame(y)},[e]),i.value;let p=performance.now(),h=e.ordered(p),b=Math.max(0,Math.floor(a.value/Nt)-Xa),g=h.slice(b,b+Math.ceil(r/Nt)+2*Xa),w=["key",...e.columns,"updates","age"],P=new Set(["updates","age",...e.columns.filter(y=>typeof g[0]?.fields[y]=="number")]),k=y=>{let C=f.value.column===y;f.value={column:y,descends:C?!f.value.descends:P.has(y)&&y!=="age"},e.sortBy(f.value)},T=y=>{let C=Math.floor(r/Nt)-2,W={ArrowDown:1,ArrowUp:-1,PageDown:C,PageUp:-C,Home:-h.length,End:h.length}[y.key],A=h[c.value];if(W!==void 0){c.value=Math.min(h.length-1,Math.max(0,c.value+W));let Q=c.value*Nt,U=l.current;Q<U.scrollTop?U.scrollTop=Q:Q+2*Nt>U.scrollTop+r&&(U.scrollTop=Q+2*Nt-r)}else if(y.key==="Enter"&&A)n(A);else if(y.key==="p"&&A)e.pin(A.id);else return;y.preventDefault()};return s("div",{ref:l,class:"live",tabIndex:0,role:"grid","aria-label":t,"aria-rowcount":h.length+1,"aria-colcount":w.length,"aria-activedescendant":h[c.value]?`row-${c.value}`:void 0,onScroll:y=>a.value=y.currentTarget.scrollTop,onKeyDown:T,children:s("div",{class:"live-rows",role:"rowgroup",style:{height:`${(h.length+1)*Nt}px`,"--columns":e.columns.length},children:[s("div",{class:"live-row head",role:"row","aria-rowindex":1,children:w.map(y=>s("div",{class:P.has(y)?"number":"",role:"columnheader","aria-sort":f.value.column!==y?"none":f.value.descends?"descending":"ascending",children:s("button",{type:"button",class:"plain",onClick:()=>k(y),children:[y,s("span",{class:"order","aria-hidden":"true",children:f.value.column!==y?"":f.value.descends?"▼":"▲"})]})},y))}),g.map((y,C)=>s(sc,{row:y,at:b+C,columns:w,numeric:P,isPinned:e.pinned.has(y.id),isFocused:b+C===c.value,isFresh:p-y.changedMs<rc&&y.changes>0,ageMs:o()-(y.value.enqueued_time_ms??0),onOpen:()=>(c.value=b+C,n(y)),onPin:()=>e.pin(y.id)},y.id))]})})}function sc({row:e,at:t,columns:n,numeric:o,isPinned:r,isFocused:l,isFresh:i,ageMs:a,onOpen:f,onPin:c}){return s("div",{id:`row-${t}`,class:l?"live-row focused":"live-row",role:"row","aria-rowindex":t+2,style:{transform:`translateY(${(t+1)*Nt}px)`},onClick:f,children:n.map(p=>{let h=p==="age"?H1(a):Z(wo(e,p)),g=i&&e.before!==null&&Z(e.before[p])!==Z(e.fields[p])?` flash-${e.changes%2}`:"";return s("div",{role:"gridcell",class:(o.has(p)?"number":"")+g,title:h.length>24?h:void 0,children:[p==="key"&&s("button",{type:"button",class:r?"plain pin on":"plain pin",tabIndex:-1,"aria-label":r?`Unpin ${h}`:`Pin ${h}`,"aria-pressed":r,onClick:w=>(w.stopPropagation(),c()),children:s(mt,{name:"pin"})}),h]},p)})})}var ic=1e4,lc=200,Bn=1e3;function t3({name:e,keyProperty:t,past:n}){let{data:o,problem:r}=s1(K(["queues",e,"history"]),1e4),l=$(Bn),i=$(""),a=$(null),f=$(null),c=se(0),p=se(null);if(l1(()=>()=>{n.value=null},[]),r.value)return s("p",{class:"muted",children:["The history cannot be read: ",r.value.detail]});if(!o.value)return s("p",{class:"muted",children:"Reading the history …"});let h=Date.parse(o.value.history_from),b=Date.parse(o.value.history_to),g=y=>Math.round(h+(b-h)*y/Bn),w=y=>Math.min(Bn,Math.max(0,Math.round(Bn*(y-h)/Math.max(1,b-h)))),P=()=>{clearTimeout(c.current),p.current=null,l.value=Bn,n.value=null,i.value=""},k=y=>{l.value=w(y),clearTimeout(c.current),p.current=y,c.current=window.setTimeout(async()=>{try{let C=await uc(e,t,y);if(p.current!==y)return;n.value=C,i.value=""}catch(C){p.current===y&&(i.value=ge(C))}},lc)},T=n.value?.timeMs;return s("div",{class:"past",role:"group","aria-label":"The past of the queue",children:[s("button",{type:"button","aria-pressed":n.value===null,onClick:P,children:"Live"}),s("input",{type:"range",min:0,max:Bn,value:l.value,"aria-label":"Moment","aria-valuetext":Ve(g(l.value)),onInput:y=>k(g(Number(y.currentTarget.value)))}),s("input",{type:"datetime-local",step:"0.001","aria-label":"Exact moment",value:Ve(T??b).replace(" ","T"),onChange:y=>{let C=new Date(y.currentTarget.value).getTime();Number.isNaN(C)||k(C)}}),s("output",{children:T===void 0?"now":`${Ve(T)}, ${V(n.value?.total)} rows`}),s("button",{type:"button",disabled:T===void 0,onClick:()=>a.value=T??null,children:a.value===null?"Mark":`Marked ${Ve(a.value).slice(11,19)}`}),s("button",{type:"button",disabled:a.value===null||a.value===T,onClick:()=>{let y=[a.value??0,T??Date.now()].sort((C,S)=>C-S);f.value=[y[0]??0,y[1]??0]},children:"Compare with the mark"}),i.value&&s("span",{class:"fault",role:"alert",children:i.value}),f.value&&s(ac,{name:e,from:f.value[0],to:f.value[1],onClose:()=>f.value=null})]})}function ac({name:e,from:t,to:n,onClose:o}){let r=K(["queues",e,"diff"],{from:new Date(t).toISOString(),to:new Date(n).toISOString(),limit:500}),{data:l,problem:i}=s1(r,36e5);return s(Ct,{title:"What changed",onClose:o,isDrawer:!0,children:[s("p",{class:"muted",children:[Ve(t)," to ",Ve(n),l.value&&`: ${V(l.value.total)} changes`]}),i.value&&s("p",{class:"fault",children:i.value.detail}),s("ol",{class:"versions",children:l.value?.changes.map(a=>s("li",{children:[s("div",{class:"when",children:[s("b",{children:Z(a.key??a.sequence)}),s("span",{children:a.reason&&a.reason!==a.change?`${a.change}: ${a.reason}`:a.change})]}),"before"in a?s(xo,{before:Lt({...a,properties:{},body:a.before},""),after:Lt({...a,properties:{}},"")}):s(xo,{before:null,after:Lt({...a,properties:{}},"")})]},`${Z(a.key)} ${a.sequence}`))})]})}async function uc(e,t,n){let o=K(["queues",e,"as-of"],{moment:new Date(n).toISOString(),limit:ic}),r=await t1(o),l=new Un(t);return l.begin(),l.take(r.values,performance.now()),l.complete(),{timeMs:n,table:l,total:r.total}}var cc={glob:"",selector:""};function o3({name:e,queue:t,mostFollowed:n}){let o=t.value,r=String(o.options.lvq_key??""),l=$(cc),i=$(null),a=$(null),f=y1(()=>new Un(r),[e,r,l.value]),c=l.value.selector!==""||l.value.glob!=="",p=!c&&(o.statistics.keys??0)>n,h=K(["queues",e,"follow"],{...l.value}),b=fc(p||i.value!==null?null:h,f),g=i.value?.table??f,w=!!o.options.history;return s(I,{children:[s("div",{class:"tools",children:[s("input",{type:"search","aria-label":"Rows with this text",placeholder:"Filter rows",onInput:P=>g.filterBy(P.currentTarget.value.trim())}),s("form",{class:"tools",onSubmit:P=>{P.preventDefault();let k=new FormData(P.currentTarget),T=y=>k.get(y)?.toString().trim()??"";l.value={glob:T("glob"),selector:T("selector")}},children:[s("input",{name:"glob",type:"search",class:"short","aria-label":"Keys that match",placeholder:"Keys, as in eu.*"}),s("input",{name:"selector",type:"search","aria-label":"Selector",placeholder:"Selector, as in price > 100"}),s("button",{type:"submit",children:"Select"})]}),i.value===null&&s(dc,{live:f,queue:t,isSelected:c})]}),w&&s(t3,{name:e,keyProperty:r,past:i}),o.options.paused===!0&&s("p",{class:"banner",children:"The queue is paused: nothing new comes to its readers."}),b.lost&&s("p",{class:"banner",role:"status",children:["The rows are as they were: ",b.lost,". Asking again …"]}),b.refused?s(o1,{problem:b.refused}):p&&i.value===null?s("p",{class:"notice",children:["The queue has ",V(o.statistics.keys)," keys. A pattern of keys or a selector chooses the rows to follow; the messages are listed in pages."]}):s(e3,{table:g,label:`Values of ${e}`,nowMs:()=>i.value?.timeMs??Date.now(),onOpen:P=>a.value=P}),a.value&&s(Ja,{queue:e,keyProperty:r,row:a.value,live:i.value===null?f:null,hasHistory:w,remembers:Number(o.options.removal_log??0)>0,onClose:()=>a.value=null},a.value.id)]})}function fc(e,t){let n=$({lost:"",refused:null});return l1(()=>{if(e===null)return;let o=new AbortController,r=new Map;return n.value={lost:"",refused:null},Y2(e,{begin:i=>{n.value.refused&&(n.value={lost:"",refused:null}),t.begin(i)},values:i=>t.take(i,performance.now()),removed:i=>t.remove(es(i)),snapshotEnd:({resumed:i,partition:a})=>{i||t.complete(a),r.delete(a??0),n.value={lost:n3(r),refused:null}},partitionLost:({partition:i,detail:a})=>{r.set(i,a),n.value={lost:n3(r),refused:null}},lost:i=>{r.clear(),n.value={lost:i,refused:null}},refused:i=>n.value={lost:"",refused:i}},o.signal),()=>o.abort()},[e,t]),n.value}function n3(e){return[...e].map(([t,n])=>`partition ${t} is away: ${n}`).join("; ")}function dc({live:e,queue:t,isSelected:n}){let o=y1(()=>new Ot,[e]),r=y1(()=>new Ot,[e]),l=y1(()=>({queue:void 0}),[e]);t.value!==l.queue&&(l.queue=t.value,o.add(Date.now(),e.received),r.add(Date.now(),n?e.represented:t.value?.published??0));let i=r.rate()??0,a=Math.min(o.rate()??0,i),f=i>0?1-a/i:0;return s("div",{class:"saving",title:"What conflation saves: updates that need not come here, because a newer one of their key does",children:[s("span",{children:[s("b",{children:ue(i)})," in, ",s("b",{children:ue(a)})," shown"]}),s("span",{class:"bar",role:"meter","aria-label":"Saved by conflation","aria-valuemin":0,"aria-valuemax":100,"aria-valuenow":Math.round(100*f),children:s("i",{style:{width:`${100*f}%`}})}),s("span",{children:[s("b",{children:[Math.round(100*f)," %"]})," saved"]})]})}var r3=50,pc=["lvq","standard","priority","sorted"],ts=new bt,l3=new bt,s3,mc=[{name:"name",title:"Queue",isSortable:!0,cell:e=>e.name},{name:"type",title:"Type",isSortable:!0,cell:e=>s(ns,{queue:e})},{name:"keys",title:"Keys",isNumeric:!0,isSortable:!0,cell:e=>e.type==="lvq"?V(e.statistics.keys):""},{name:"depth",title:"Messages",isNumeric:!0,isSortable:!0,cell:e=>V(e.depth)},{name:"in",title:"In",isNumeric:!0,cell:e=>ue(ts.of(e.name).rate())},{name:"out",title:"Out",isNumeric:!0,help:"To consumers; browsers are not counted",cell:e=>ue(l3.of(e.name).rate())},{name:"conflation_ratio",title:"Conflated",isNumeric:!0,isSortable:!0,help:"The part of what came that a newer value replaced",cell:e=>e.type==="lvq"&&e.published?`${(100*yo(e)).toFixed(1)} %`:""},{name:"last_in_ms",title:"Newest",isNumeric:!0,isSortable:!0,help:"How long ago a message came last",cell:yc},{name:"trend",title:"In, last minutes",cell:e=>s(go,{values:ts.of(e.name).rates(),label:`What came to ${e.name}`})}];function hc({query:e}){let t=e.get("sort")??"name",n=e.get("contains")??"",o=K(["queues"],{sort:t==="name"?"":t,contains:n,limit:r3}),r=$([]),l=$(o),i=$(!1);l1(()=>{l.value=o,r.value=[]},[o]);let{data:a,problem:f,refresh:c}=s1(l.value),p=a.value;if(p&&p!==s3){s3=p;let g=Date.now();for(let w of p.queues)ts.of(w.name).add(g,w.published),l3.of(w.name).add(g,w.statistics.acquired??0)}let h=p?.next,b=r.value.at(-1);return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Queues"}),s("div",{class:"actions",children:[s(gc,{value:n,onSearch:g=>be(["queues"],{sort:t==="name"?"":t,contains:g})}),s("button",{type:"button",class:"primary",disabled:ht()!=="",title:ht(),onClick:()=>i.value=!0,children:"Add a queue"})]})]}),!p&&(f.value?s(o1,{problem:f.value}):s(T1,{})),p&&s(I,{children:[s(_1,{caption:"Queues",columns:mc,rows:p.queues,rowKey:g=>g.name,rowLink:g=>w1(["queues",g.name]),sort:t,onSort:g=>be(["queues"],{sort:g,contains:n}),empty:n?`No queue that you may see has “${n}” in its name.`:"There are no queues that you may see."}),s(K2,{offset:r.value.length*r3,rows:p.queues.length,onPrevious:b===void 0?void 0:()=>{r.value=r.value.slice(0,-1),l.value=b},onNext:h===void 0?void 0:()=>{r.value=[...r.value,l.value],l.value=h}})]}),i.value&&s(bc,{onClose:()=>i.value=!1,onAdded:c})]})}function ns({queue:e}){return s(I,{children:[s("span",{class:"tag",children:e.type})," ",e.options.paused===!0&&s("span",{class:"tag warn",children:"paused"}),e.stored&&s("span",{class:"tag",children:"durable"})]})}function gc({value:e,onSearch:t}){return s("form",{role:"search",class:"tools",onSubmit:n=>n.preventDefault(),children:s("input",{type:"search","aria-label":"Queues with this text in their name",placeholder:"Search by name",defaultValue:e,onInput:vc(n=>t(n.target.value.trim()))})})}var i3=0;function vc(e){return t=>{clearTimeout(i3),i3=window.setTimeout(e,250,t)}}function bc({onClose:e,onAdded:t}){return s(M1,{title:"Add a queue",action:"Add",onClose:e,fields:[{name:"name",label:"Name",isRequired:!0},{name:"type",label:"Type",kind:"choice",choices:pc,value:"lvq"},{name:"lvq_key",label:"Last-value key",help:"The property whose value is the key; for type lvq"},{name:"sort_key",label:"Sort key",help:"The property to sort by; for type sorted"},{name:"durable",label:"Durable",kind:"checkbox",help:"A restart keeps it, if the broker has a store"},{name:"more",label:"Further options",kind:"json",help:'As a JSON object, such as {"max_messages": 1000}; the page of the queue shows all options'}],onSubmit:async({name:n,more:o,...r})=>{await t1(K(["queues",Z(n)]),{method:"PUT",body:{...r,...o},headers:{}}),P1(`Queue ${Z(n)} is there.`),t()}})}function yc(e){let t=e.statistics.last_in_ms??0;return t?H1(Date.now()-t):""}var a3={path:"queues",title:"Queues",inNavigation:!0,view:hc};var _c=5e4,u3={values:"Values",messages:"Messages",options:"Options",readers:"Readers",removed:"Removed"},ko=new bt,c3;function wc({parameters:e,query:t}){let n=e.queue??"",o=s1(K(["queues",n]),1e3),r=o.data.value,l=$(!1);if(l.value)return s("p",{class:"notice",children:["The queue ",n," was deleted."]});if(!r)return o.problem.value?s(o1,{problem:o.problem.value}):s(T1,{});if(o.problem.value?.status===404)return s(o1,{problem:o.problem.value});r!==c3&&(c3=r,ko.of(`${n} in`).add(Date.now(),r.published),ko.of(`${n} out`).add(Date.now(),r.statistics.acquired??0));let i=r.type==="lvq",a=Object.keys(u3).filter(p=>i||p!=="values"),f=t.get("tab"),c=f!==null&&a.includes(f)?f:a[0];return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:n}),s(ns,{queue:r}),i&&s(Ii,{queue:n}),s(Wa,{queue:r,refresh:o.refresh,onDeleted:()=>l.value=!0})]}),ht()&&s("p",{class:"banner",role:"status",children:[ht(),"; values and messages are shown as it has them."]}),s(kc,{queue:r}),s("nav",{class:"tabs","aria-label":"Parts of the queue",children:a.map(p=>s("a",{href:w1(["queues",n],{tab:p}),"aria-current":p===c?"page":void 0,children:u3[p]},p))}),s(xc,{tab:c,polled:o,queue:r})]})}function xc({tab:e,polled:t,queue:n}){switch(e){case"values":return s(o3,{name:n.name,queue:t.data,mostFollowed:_c});case"messages":return s(Ua,{queue:n});case"options":return s(Ba,{queue:n,refresh:t.refresh});case"readers":return s(Ka,{queue:n.name});case"removed":return s(I,{children:[s(Sc,{queue:n}),s(Pc,{queue:n})]})}}function kc({queue:e}){let t=e.statistics.last_in_ms??0,n=[["Messages",V(e.depth)],...e.type==="lvq"?[["Keys",V(e.statistics.keys)]]:[],["In",ue(ko.of(`${e.name} in`).rate())],["To consumers",ue(ko.of(`${e.name} out`).rate())],...e.type==="lvq"?[["Conflated",`${(100*yo(e)).toFixed(1)} %`]]:[],["Readers",V(e.subscriptions)],["Newest",t?H1(Date.now()-t):"–"]];return s("dl",{class:"figures",children:n.map(([o,r])=>s("div",{class:"figure",children:[s("dt",{children:o}),s("dd",{children:r})]},o))})}function Sc({queue:e}){let t=Object.entries(e.removed).sort((n,o)=>o[1]-n[1]);return s("div",{class:"card",children:[s("p",{children:["Of ",V(e.published)," messages that came, ",V(e.depth)," are here. The others left for these reasons:"]}),s("dl",{class:"facts",children:t.map(([n,o])=>s(I,{children:[s("dt",{children:n}),s("dd",{children:V(o)})]}))}),t.length===0&&s("p",{class:"muted",children:"None has left."})]})}function Pc({queue:e}){let t=$(null),n=e.type==="lvq"?["key","key that is a number","sequence","message id"]:["sequence","message id"];return s("section",{class:"card","aria-labelledby":"became-heading",children:[s("h2",{id:"became-heading",children:"What became of a message?"}),s(rt,{action:"Ask",fields:[{name:"kind",label:"By its",kind:"choice",choices:n,value:n[0]??""},{name:"value",label:"Which",isRequired:!0}],onSubmit:async({kind:o,value:r})=>{let l=String(r);o==="key that is a number"?t.value={key:l,type:"integer"}:t.value={[String(o).replace(" ","_")]:l}}}),t.value&&s(bo,{queue:e.name,asked:t.value},JSON.stringify(t.value))]})}var f3={path:"queues/:queue",title:"Queue",inNavigation:!1,view:wc};var Tc=120;function Mc(){let{data:e,problem:t,refresh:n}=s1("/store"),o=y1(()=>new Ot,[]),r=y1(()=>({ms:[],took:[]}),[]),l=$(!1),i=e.value;if(y1(()=>{i&&(o.add(Date.now(),i.statistics.store_syncs??0),r.ms.push(Date.now()),r.took.push(i.statistics.store_last_sync_ms??0),r.ms.length>Tc&&(r.ms.shift(),r.took.shift()))},[i]),!i)return t.value?s(o1,{problem:t.value}):s(T1,{});let{statistics:a,segments:f,snapshot:c}=i,p=g=>a[`store_${g}`]??0,h=p("syncs")?p("sync_ms")/p("syncs"):0,b=[["Size",ve(p("bytes"))],["Segments",V(p("segments"))],["Free on the disk",ve(p("free_bytes"))],["Waits to be written",ve(p("waiting_bytes"))],["Syncs",ue(o.rate())],["A sync takes",`${h.toFixed(2)} ms`]];return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Store"}),s("div",{class:"actions",children:s("button",{type:"button",onClick:()=>l.value=!0,children:"Write a snapshot"})})]}),t.value&&s(o1,{problem:t.value}),s("dl",{class:"figures",children:b.map(([g,w])=>s("div",{class:"figure",children:[s("dt",{children:g}),s("dd",{children:w})]},g))}),s("section",{class:"card",children:s(at,{label:"Time of the last sync",timesMs:r.ms,lines:[{title:"last sync",colour:1,values:r.took}],written:g=>`${g.toFixed(1)} ms`})}),s(Cc,{snapshot:c}),s(_1,{caption:"Segments, the newest first",columns:[{name:"number",title:"Segment",cell:g=>g.number},{name:"bytes",title:"Size",isNumeric:!0,cell:g=>ve(g.bytes)}],rows:f.slice(-200).reverse(),rowKey:g=>String(g.number),empty:"Nothing was written yet."}),l.value&&s(M1,{title:"Write a snapshot",text:"A copy of the store as of one moment, from which `lastvalue serve --restore` starts.",action:"Begin",fields:[{name:"directory",label:"Directory on the broker's machine",isRequired:!0,help:"New or empty, below the directory that `serve --snapshots` names."}],onClose:()=>l.value=!1,onSubmit:async g=>{await t1("/store/snapshots",{method:"POST",body:g}),P1("the snapshot has begun"),n()}})]})}function Cc({snapshot:e}){if(e.state==="none")return null;let t=e.bytes?(e.written??0)/e.bytes:0;return s("section",{class:"card","aria-label":"The last snapshot",children:["Snapshot in ",s("code",{children:e.directory}),": ",s("span",{class:e.state==="failed"?"tag bad":"tag on",children:e.state})," ",e.state==="running"&&s("progress",{value:t,"aria-label":"Written"})," ",ve(e.bytes)," ",e.reason]})}var d3={path:"store",title:"Store",inNavigation:!0,needs:"snapshot",view:Mc};function Rc({query:e}){let t={user:e.get("user")??"",name:e.get("name")??"",destination:e.get("destination")??""},n=c2("change-permissions"),o=s1(n?"/users":null,1e4),r=s1(K(["rights"],t),1e4),l=[...n?[{name:"user",label:"May user",help:"you, if it is empty"}]:[],{name:"name",label:"with",help:"a queue, an exchange or an address"},{name:"destination",label:"and",help:"where to, of what is moved, copied or bound"}];return s(I,{children:[s("div",{class:"page-head",children:s("h1",{children:n?"Users":"What you may do"})}),n?o.problem.value?s(o1,{problem:o.problem.value}):s(_1,{caption:"Users",columns:[{name:"user",title:"User",cell:i=>i.user},{name:"rules",title:"Rules",cell:i=>i.rules.map(a=>s("code",{class:"rule",children:a},a))}],rows:o.data.value?.users??[],rowKey:i=>i.user,rowLink:i=>w1(["users"],{...t,user:i.user}),empty:"The broker has no users file: whoever connects may do everything."}):null,s("section",{class:"card","aria-labelledby":"rights-heading",children:[s("h2",{id:"rights-heading",children:"May X do Y?"}),s("div",{class:"question",children:l.map(({name:i,label:a,help:f})=>s("label",{class:"field",children:[s("span",{children:a}),s("input",{type:"text",defaultValue:t[i],autocomplete:"off",onChange:c=>be(["users"],{...t,[i]:c.currentTarget.value})},t[i]),s("small",{class:"help",children:f})]},i))}),r.problem.value?s(o1,{problem:r.problem.value}):s(_1,{caption:`What ${r.data.value?.user??"the user"} may do`,columns:[{name:"allowed",title:"Allowed",cell:({allowed:i})=>s("span",{class:i?"tag on":"tag bad",children:i?"yes":"no"})},{name:"meaning",title:`May ${r.data.value?.user??""}`,cell:i=>`${i.meaning}?`},{name:"lacks",title:"Right that is missing",cell:({lacks:i})=>s("code",{children:i})}],rows:r.data.value?.verbs??[],rowKey:i=>i.verb})]})]})}var p3={path:"users",title:"Users",inNavigation:!0,needs:"change-permissions",view:Rc};var jn=[Ca,a3,f3,Zi,qa,Li,Ni,Ai,La,d3,Ti,p3,Mi,Fi];var Ec=2e3,Dc=15e3;function m3(){return Rn.value?s(ki,{}):s("div",{class:"frame",children:[s("a",{class:"skip",href:"#main",onClick:e=>(e.preventDefault(),document.getElementById("main")?.focus()),children:"Skip to the content"}),s(Oc,{}),s("main",{id:"main",tabIndex:-1,children:[!Mt.value&&s("p",{class:"banner",role:"alert",children:"The broker does not answer. The console goes on when it does."}),Rt.value===void 0?s(Ac,{}):s(Nc,{})]}),s(di,{})]})}function Ac(){return l1(()=>{let e=0,t=()=>{_i().catch(()=>e=window.setTimeout(t,Ec))};return t(),()=>clearTimeout(e)},[]),s(T1,{})}function Oc(){Lc();let e=$(!1),{segments:t}=f2.value,n=t[0]??jn[0]?.path,o=it.value==="dark"?"light":"dark";return s("header",{class:e.value?"sidebar open":"sidebar",children:[s("div",{class:"brand",children:[s("span",{children:"lastvalue"}),s("button",{type:"button",class:"plain menu","aria-label":"Menu","aria-expanded":e.value,onClick:()=>e.value=!e.value,children:s(mt,{name:"menu"})})]}),s("nav",{"aria-label":"Pages of the console",onClick:()=>e.value=!1,children:jn.filter(r=>r.inNavigation&&(!r.needs||c2(r.needs))).map(r=>s("a",{href:w1([r.path]),"aria-current":r.path===n?"page":void 0,children:r.title},r.path))}),s("div",{class:"foot",children:[Rt.value&&!c2("change-permissions")&&s("a",{class:"own-rights",href:w1(["users"]),children:"What you may do"}),Rt.value&&s("button",{type:"button",class:"plain",title:"Log out",onClick:()=>wi().catch(Qt),children:[s(mt,{name:"leave"}),s("span",{children:["Log out ",Rt.value]})]}),s("button",{type:"button",class:"plain",onClick:Ji,children:[s(mt,{name:o==="light"?"sun":"moon"}),s("span",{children:o==="dark"?"Dark":"Light"})]})]})]})}function Lc(){let e=Rt.value;l1(()=>{if(e===void 0)return;let t=()=>{document.hidden||gi().catch(()=>{})};t();let n=setInterval(t,Dc);return()=>clearInterval(n)},[e])}function Nc(){let{segments:e,query:t}=f2.value,n=e.length?e:[jn[0]?.path??""],[o,r]=$c(n);if(l1(()=>{document.title=o?`${n.length>1?n[1]:o.title} · lastvalue`:"lastvalue"}),!o)return s("div",{class:"notice",role:"alert",children:[s("strong",{children:"There is no such page"}),s("p",{children:s("a",{href:w1([]),children:jn[0]?.title})})]});let l=o.view;return s(l,{parameters:r,query:t},n.join("/"))}function $c(e){for(let t of jn){let n=Ei(t.path,e);if(n)return[t,n]}return[null,{}]}Bs(s(m3,{}),document.body);
